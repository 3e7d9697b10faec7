"""`python -m service`: run the service as the environment says."""

import sys

from service.serve import run

if __name__ == "__main__":
    sys.exit(run())
