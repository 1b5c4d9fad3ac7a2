"""Rubin and Watson, Case-based strategies in computer poker (2012): its tables and its experiments.

In reading order:

`competitions`  tables 6 to 8, 12, 13 and 16: ranks and totals recomputed from their own cells
"""
