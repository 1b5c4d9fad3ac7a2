"""The commands of the experiments, which the command line finds by the names of their modules.

In reading order:

`museum`  `doyle museum`: the papers' agents built and played against each other in two leagues
`papers`  `doyle papers`: published tables and figures beside ours
"""
