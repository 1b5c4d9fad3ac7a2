"""Exact-hands evaluation: two policies against each other over all pairs of hands on a board.

A match deals two hands and one board and looks at one result. Here a board is dealt to the end, and both
policies are queried for all hands at once at every history that both can reach; so one board gives
the exact mean over all pairs of hands and all choices. What remains random is the board.

In reading order:

`evaluators`  one board: `PolicyEvaluator` queries any two policies, `PlanEvaluator` runs a compiled
    plan
`joint_plan`  every real history that two strategy agents can reach, as instructions for one kernel
`run`         sampled boards with an interval, or every board of a small game

`_plan_kernels` holds the compiled loops over one board. Evaluating a board by hand vectors needs policies
(`doyle.games.view.Policy`); agents that have only `act(view)` play matches instead.
"""
