"""The `doyle` command.

Modules here import nothing heavy at the top: `doyle --help` must not load NumPy. `main` is the one
place where errors become a line on stderr and an exit code.
"""

from doyle.cli.app import main

__all__ = ["main"]
