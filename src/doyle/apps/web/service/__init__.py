"""`TableService`, the one thing that page and API call.

In reading order:

`errors`        what is refused
`tasks`         what a server does beside answering requests
`offers`        the agents that can be chosen
`tables`        a table in memory
`registry`      the tables in memory
`play`          dealing, and whose turn it is
`explanations`  hands that are over, and why the agents acted so
`abandoned`     hands whose player has left
`sight`         what a player may see
`downloads`     hands as files
`service`       all of them as one
"""

from __future__ import annotations

from doyle.apps.web.service.errors import ServiceError
from doyle.apps.web.service.service import TableService

__all__ = ["ServiceError", "TableService"]
