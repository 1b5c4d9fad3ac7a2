"""The table in the browser, its API and its pages: `doyle serve`.

Needs the extra `doyle[web]`. One process serves pages (NiceGUI), REST and WebSockets (FastAPI); agents
think in processes of their own.

In reading order:

`config`    what a server is started with
`store`     players, tables, hands and their events in SQLite or PostgreSQL
`dealing`   decks with commitments
`thinking`  the processes in which agents think
`service`   `TableService`: whose turn it is, what a seat may see, who may do what
`api`       REST and WebSocket over the service, with their OpenAPI description
`site`      how pages are added; the frame around them
`table`     the page where one plays
`results`   what was won over time: curves, leaderboards, downloads
`explorer`  strategies, spots, mappings, builds and reviews to click through
`connections`  how many connections there are, and how long a request may arrive
`security`  tokens, origins, rate limits
`server`    puts all of it together
"""
