"""Schnizlein, "State translation in no-limit poker", master's thesis, University of Alberta, 2009.

The thesis describes the translation of Polaris and Hyperborean with its fixes, measures how exploitable
translated strategies are, learns translation boundaries from play, and switches between strategies made
for different stacks. The translations themselves are in `doyle.strategy.translation`, the notation of card
abstractions in `doyle.abstractions.cards.notation`; here are the experiments.

In reading order:

`evaluation`    tables 2.1 to 2.3 with our own agents: the noise of money, DIVAT and importance
    sampling
`refinement`    section 2.3.1: card abstractions of Leduc that grow finer and more exploitable
`leduc`         the Leduc cells of tables 3.4, 3.5, 4.4 and 4.7, by exact best response
`boundaries`    table 4.1: the number of hands to estimate an opponent's translation boundary
`cover_player`  tables 5.1, A1 and A2: the games of the cover set, and the player that switches between their solutions
`switching`     section 5.3: switching between equilibria in Kuhn poker can lose, exactly
`holdem`        tables 3.1 to 3.5, 4.1 to 4.3, 4.5, 4.6 and 5.2 in Hold'em, played by agents of ours
`bankroll`      section 6.1.2 with our own agents: `hyperborean09-br` explores and exploits

`evaluation` and `holdem` play small builds of Hold'em. Small games are measured whole, by the best response of
`doyle.experiments.papers.full_game`, so that these numbers have no noise; differences from the
printed ones are stated in the result.
"""
