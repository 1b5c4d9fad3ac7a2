"""Top-down methods: each bucket is divided into children, with perfect recall.

In reading order: `division` (sizes, the walk from round to round, and the hands below one bucket
clustered for every number of children), `allocation` (how many children each gets, by an integer
program), then the methods `gs2` (winning probability), `potential` (histograms over the next round's
clusters, our form) and `gs3` (the published form).
"""
