"""Where agents think: processes of their own, never the event loop.

These modules are imported by those processes, so they stay light: nothing of the server, and of the
workbench what an answer needs.

`requests`    what is asked of an agent
`decisions`   actions and baselines
`hand_explanations`, `case_explanations`  why an agent acted as it did
`policy_api`  policies and spots for programs
`available_agents`  which agents are built
`strategy_browser`  what a strategy does at a place, how bets are read
`cached_results`  how builds converged; report cards and leagues in the cache
`aivat`       what a person won, after AIVAT
`spot_job`, `review_job`  spots and uploaded hands, in jobs
`jobs`        long work in processes of its own, watched and cancelled
`lanes`       one process, one question at a time
`pool`        the processes, asked from the event loop
"""
