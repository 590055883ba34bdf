"""`python -m dalembert.cli`."""

import sys

from . import main

sys.exit(main())
