"""Experiments beside the core: they import the library, and the library never imports them.

In reading order:

`laboratory`  agents made for experiments; matches and measurements that are run once and remembered
`training`  logs made by play, and case bases trained on them
`museum`    the papers' agents in two leagues
`papers`    published tables and figures computed again, ours beside the printed numbers
`cli`       the commands `doyle museum` and `doyle papers`, which the command line finds by name
"""
