"""Persistent results: winnings per player, per agent version and overall.

In reading order:

`queries`     queries of the store
`curves`      means, intervals and the charts of them
`aivat`       one's hands after AIVAT
`pages`       the page, the downloads
"""

from doyle.apps.web.results.pages import add_pages

__all__ = ["add_pages"]
