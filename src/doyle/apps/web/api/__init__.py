"""REST and WebSocket over `TableService`, with an OpenAPI description at /api/openapi.json.

`documents`  requests and responses
`access`     the identity of the caller
`routes`     the requests
`sockets`    a table over a WebSocket
"""

from __future__ import annotations

from doyle.apps.web.api.routes import add_routes

__all__ = ["add_routes"]
