"""The table in the browser, its API and its pages: `doyle serve`.

Needs the extra `doyle[web]`. One process serves pages (NiceGUI), REST and WebSockets (FastAPI); agents
think in processes of their own.

In reading order:

`config`    the configuration of a server
`store`     players, tables, hands and their events in SQLite or PostgreSQL
`dealing`   decks with commitments
`thinking`  the processes that run agents
`service`   `TableService`: turns, visibility for seats, permissions
`api`       REST and WebSocket over the service, with their OpenAPI description
`site`      how pages are added; the frame around them
`table`     the page where one plays
`results`   winnings over time: curves, leaderboards, downloads
`explorer`  strategies, spots, mappings, builds and reviews to click through
`connections`  limits of connections, and of the time in which a request must arrive
`security`  tokens, origins, rate limits
`server`    assembles all parts
"""
