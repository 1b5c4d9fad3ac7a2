"""`TableService`, the one thing that page and API call.

`offers`      the agents that can be chosen
`tables`      a table in memory
`sight`       what a player may see
`service`     whose turn it is, who may do what
`errors`      what is refused
"""

from __future__ import annotations

from doyle.web.service.errors import ServiceError
from doyle.web.service.service import TableService

__all__ = ["ServiceError", "TableService"]
