"""Benchmarks: ratios of ours to a peer or a limit, measured in one run."""
