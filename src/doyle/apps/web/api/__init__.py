"""REST and WebSocket over `TableService`, with an OpenAPI description at /api/openapi.json.

`documents`  what is sent and received
`access`     who is asking
`routes`     the requests
`sockets`    a table over a WebSocket
"""

from __future__ import annotations

from doyle.apps.web.api.routes import add_routes

__all__ = ["add_routes"]
