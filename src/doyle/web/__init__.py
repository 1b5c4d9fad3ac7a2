"""The table in the browser, its API and its pages: `doyle serve`.

Needs the extra `doyle[web]`. One process serves pages (NiceGUI), REST and WebSockets (FastAPI); agents
think in processes of their own.

In reading order:

`config`    what a server is started with
`store`     players, tables, hands and their events in SQLite or PostgreSQL
`service`   `TableService`: dealing with commitments, whose turn it is, agents, what a seat may see
`api`       REST and WebSocket over the service, with their OpenAPI description
`site`      how pages are added; the frame around them
`table`     the page where one plays
`security`  tokens, origins, rate limits
`server`    puts all of it together
"""
