"""What people look at: convergence curves, report cards and pages of spots.

Pages are single HTML files that need nothing else and are written whole. What is shown was computed
elsewhere; `report_card` also measures and plays, because reports have matches in them.

In reading order:

`figures`           curves and grids by Matplotlib
`pages`             one HTML file, and tables in it
`report_card`       what every instrument reports of an agent; `advice` is that in a sentence
`build_section`     what a strategy's file says of how it was built
`report_card_page`  both on one page
`build_report`      the last two stages of a build: its missing opponents, its report card
`benchmark`         the report card by a frozen and versioned protocol
`spot_report`       the page of a solved spot
`review_page`       the page of reviewed hands

Notebooks do not come here: results show themselves by `doyle.base.display`.
"""
