"""Programs: the command line, the table in the browser, and the front door of notebooks.

In reading order:

`front`  the public names of `import doyle`
`cli`    the `doyle` command
`web`    `doyle serve`: the table in the browser, its API and its pages

Each is options or requests, a call of the rooms below, and results that show themselves.
"""
