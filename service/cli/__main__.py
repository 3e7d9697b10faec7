"""`python -m service.cli`: the command line where `stele` is not installed."""

import sys

from service.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
