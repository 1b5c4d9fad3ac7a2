"""Results hand by hand: every hand of a match, as arrays on disk.

In reading order:

`rows`      hands as arrays in memory
`files`     a folder with the hands of a match, written while it is played
`collected` the parts of matches put together as they come, in memory or in such folders
`tables`    the folders of a league's tables, which are a league only together
`hands`     such folders read again; those of a league together
`parquet`   the same as a Parquet file, for other tools
"""
