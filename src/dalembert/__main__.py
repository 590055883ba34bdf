"""`python -m dalembert`: the command line, where the script of that name is not on the path."""

import sys

from .cli import main

sys.exit(main())
