"""The explorer: strategies, spots, translation and builds in the browser; the review of uploaded hands.

In reading order:

`documents`       requests and responses, with their bounds
`mapping_tables`  the mappings between two sizes
`routes`          the requests
`builds`          the page of the cache's contents
`pages`           the pages

Longer work runs in the processes of `doyle.apps.web.thinking`: `strategy_browser`, `spot_job`,
`review_job`.

The scripts in `static` are plain modules without a build step.
"""

from doyle.apps.web.explorer.pages import add_pages

__all__ = ["add_pages"]
