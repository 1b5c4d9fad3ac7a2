"""The `doyle` command.

A command is options, a call of the library and `show(result)`: text for people, or with `--json` one
document on stdout; progress goes to stderr. `app` loads only the module of the typed command, so
these modules import what they need at the top, and inside functions only slow imports that some
runs do not need; `doyle --help` loads none of them. `app` is the one place where errors become a
line on stderr and an exit code: 0 done, 1 a check failed, 2 bad input, 130 interrupted.

In reading order:

`app`         the command tree and `main`; Ctrl-C: one line, nothing left running
`common`      output for any terminal, notices and progress; the options of nearly all commands
`options`     options of several commands, and where a command may write, checked before the work
`missing`     agents that a command needs and that are not built yet
`warming`     kernels of the common commands, compiled before they are needed
`system`      `doyle doctor` and `doyle cache`

One package per kind of thing that commands deal with, one module per topic, each with `register(app)`:

`games`         games, hands and their files: `game`, `equity`, `rank`, `convert`
`abstractions`  abstractions that make a game smaller: `tree`, `cards`, `shrink`, `translate`
`strategies`    making strategies and looking at them: `solve`, `spot`, `build`, `plan`, `strategy`,
                `explain`, `exploitability`, `cases`
`matches`       playing: `agents`, `match`, `league`, `results`, `acpc`, `serve`, `verify`, `review`
`measurements`  the strength of an agent: `lbr`, `late-response`, `exploit`, `evaluate`, `report`,
    `benchmark`

The experiments add `museum` and `papers` (`doyle.experiments.cli`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code. Ctrl-C while it is loaded is one line too."""
    try:
        from doyle.apps.cli.app import main as run
    except KeyboardInterrupt:
        print("doyle: interrupted", file=sys.stderr)
        return 130
    return run(arguments)
