"""Output for readers: convergence curves, report cards and pages of spots.

Pages are self-contained single HTML files, written atomically. Values are computed elsewhere;
`report_card` also measures and plays, because reports have matches in them.

In reading order:

`pages`             one HTML file, tables and figures in it
`report_card`       the results of every instrument for an agent; `advice` is that in a sentence
`report_card_page`  both on one page; `build_section` shows the build data in a strategy's file
`build_report`      the last two stages of a build: its missing opponents, its report card
`benchmark`         the report card by a frozen and versioned protocol
`spot_report`       the page of a solved spot
`review_page`       the page of reviewed hands

Notebooks do not come here: results show themselves by `doyle.base.display`.
"""
