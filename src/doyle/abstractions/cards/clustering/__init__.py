"""Clustering: `kmeans` groups weighted points by least squares, in the plane or on a line.

Results do not depend on the number of threads: sums are made over fixed ranges of points.
"""
