"""The explorer: strategies, spots, translation and builds in the browser; the review of uploaded hands.

In reading order:

`nodes`      what a strategy does at a place, how bets are read (in a thinking process)
`solves`     spots that are solved and walked (in a job)
`reviews`    uploaded hands (in a job)
`documents`  what requests take and give, with their bounds
`routes`     the requests
`builds`     the page of what is in the cache
`pages`      the pages

The scripts in `static` are plain modules without a build step.
"""

from doyle.web.explorer.pages import add_pages

__all__ = ["add_pages"]
