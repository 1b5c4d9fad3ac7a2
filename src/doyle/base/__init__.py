"""The foundation of every room: errors, files that last, workers, kernels, statistics, display.

Nothing here depends on poker. Modules are imported one by one, so that the command line starts
without the heavy ones.

In reading order:

`errors`      `DoyleError` and `FieldError`: problems that are the user's to mend, in one line
`paths`       the cache folder
`version`     the version
`statistics`  `Estimate`: every mean with its 95% interval
`display`     results as text, HTML and SVG; texts for durations and sizes
`artifacts`   files that last: a content-addressed store with checksums, locks and checkpoints
`workers`     pure work mapped over processes, threads or a cluster; memory that is kept

`_numba` is the only module that imports Numba: the `kernel` decorator and its cache; `_vectors` has sixteen
numbers at once inside a kernel.
"""
