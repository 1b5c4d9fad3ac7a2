"""`TableService`, the one thing that page and API call.

`service`   tables, whose turn it is, who may do what
"""

from __future__ import annotations

from doyle.web.service.service import TableService

__all__ = ["TableService"]
