"""The `doyle` command.

Modules here import nothing heavy at the top: `doyle --help` must not load NumPy. `doyle.cli.app` is
the one place where errors become a line on stderr and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code. Ctrl-C while it is loaded is one line too."""
    try:
        from doyle.cli.app import main as run
    except KeyboardInterrupt:
        print("doyle: interrupted", file=sys.stderr)
        return 130
    return run(arguments)
