"""`python -m doyle` is the `doyle` command."""

import sys

from doyle.apps.cli import main

if __name__ == "__main__":
    sys.exit(main())
