"""The page where one plays: a component of our own (`static/table.js`) that a WebSocket updates in place."""

from __future__ import annotations

from doyle.apps.web.table.page import add_pages

__all__ = ["add_pages"]
