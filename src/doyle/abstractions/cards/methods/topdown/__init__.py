"""Top-down methods: each bucket is divided into children, with perfect recall.

In reading order: `division` (sizes, and the walk from round to round), `allocation` (how many children
each bucket gets, by an integer program), `families` (the hands below one bucket, clustered for every
number of children), then the methods `gs2` (winning probability), `potential` (histograms over the
next round's clusters, our form) and `gs3` (the published form).
"""
