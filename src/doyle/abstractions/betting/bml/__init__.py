"""BML, Tartanian's betting-model language: a two-player betting tree as an XML file.

Gilpin, Sandholm and Sørensen (2008) describe the betting of Tartanian in such a file and generate the
equilibrium program from it. Here a file is read into a document, the document is checked to be a betting
tree of some game, and a checked document is a betting model like any other: `doyle solve`, `doyle build`
and descriptions take the path of a BML file where they take a model. In the other direction the tree of
every two-player model can be written as BML.

In reading order:

`document`     `BmlDocument`: decisions with their actions, and leaves with what they pay; written as XML
`reader`       XML into a document; what is wrong is refused with its line number
`checker`      whether a document is a betting tree: numbers, turns, and chips that its leaves agree on
`models`       a document as a `BettingModel`, and the tree that it spans in a game
`interpreter`  the payoff products by walking a document leaf by leaf: slow, general, the twin of the program
               that solvers run (`doyle.solving.bml_program`)

A document knows chips and turns, not cards: the same file serves every card abstraction.
"""
