"""`TableService`, the one thing that page and API call.

In reading order:

`errors`        refused requests
`tasks`         background tasks of a server
`offers`        the available agents
`tables`        a table in memory
`registry`      the tables in memory
`play`          dealing and turns
`explanations`  finished hands, and explanations of the agents' actions
`abandoned`     hands whose player has left
`sight`         visibility for a player
`downloads`     hands as files
`service`       a facade of all parts
"""

from __future__ import annotations

from doyle.apps.web.service.errors import ServiceError
from doyle.apps.web.service.service import TableService

__all__ = ["ServiceError", "TableService"]
