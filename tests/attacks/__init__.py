"""Attacks: bad input, full disks, damaged files and sudden ends, each as a row of a table."""
