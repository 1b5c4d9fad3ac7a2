"""Where agents think: processes of their own, never the event loop.

These modules are imported by those processes, so they stay light: nothing of the server, and of the
workbench what an answer needs.

`requests`    what is asked of an agent
`answers`     actions and baselines
`explaining`  why an agent acted as it did
`asking`      policies and spots
`offering`    which agents are built
`pool`        the processes, asked from the event loop
"""
