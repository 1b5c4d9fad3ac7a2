"""Where agents think: processes of their own, never the event loop.

These modules are imported by those processes, so they stay light: nothing of the server, and of the
workbench what an answer needs.

`requests`    queries of an agent
`decisions`   actions and baselines
`hand_explanations`, `case_explanations`  explanations of an agent's actions
`policy_api`  policies and spots for programs
`available_agents`  which agents are built
`strategy_browser`  a strategy's play at a place, and its reading of bets
`cached_results`  convergence of builds; report cards and leagues in the cache
`aivat`       a person's winnings, after AIVAT
`spot_job`, `review_job`  spots and uploaded hands, in jobs
`jobs`        long work in processes of its own, watched and cancelled
`lanes`       one process, one query at a time
`pool`        the processes, queried from the event loop
"""
