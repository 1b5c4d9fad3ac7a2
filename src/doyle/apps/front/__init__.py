"""The front door: the public names of `import doyle`, one verb or noun each.

Everything here is a short function or class over the packages below; a notebook needs nothing else,
and a reader who wants to know what happens goes on from here. Games are given as a `Game`, a name or
a file; agents as a name, a folder or an object. Nothing here prints: progress goes to the given
callable, and problems are a `DoyleError` with one line. Results show themselves in notebooks.

In reading order:

`solves`      `solve` and `SolveResult`: an equilibrium with value, exploitability, strategy, history
`loaded`      `LoadedAgent`: a strategy that plays, is looked into and measured
`agents`      `load`, `build` and `exploitability`
`situations`  `spot`: a river, turn or flop solved from two ranges
`tools`       `abstraction`, `read_hands` and `translate`

`Game`, `State`, `Range`, `equity` and `play_match` come straight from their own packages, as
`doyle.__init__` lists them. Names are loaded when they are first used, so that `import doyle` stays
light.
"""
