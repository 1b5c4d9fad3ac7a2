"""Case bases from records of play.

In reading order:

`decisions`     what a player did, with the features of the moment
`reading`       blocks of log lines to decisions
`construction`  whole logs to a case base, resumable; who won most per hand in some logs
"""
