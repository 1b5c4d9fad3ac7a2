"""What people look at: convergence curves, report cards and pages of spots.

Pages are single HTML files that need nothing else and are written whole. What is shown was computed
elsewhere; `report_card` also measures and plays, because reports have matches in them.

In reading order:

`pages`             one HTML file, tables and figures in it
`report_card`       what every instrument reports of an agent; `advice` is that in a sentence
`report_card_page`  both on one page; `build_section` is what the file of a strategy reports of its build
`build_report`      the last two stages of a build: its missing opponents, its report card
`benchmark`         the report card by a frozen and versioned protocol
`spot_report`       the page of a solved spot
`review_page`       the page of reviewed hands

Notebooks do not come here: results show themselves by `doyle.base.display`.
"""
