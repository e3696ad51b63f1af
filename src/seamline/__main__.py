"""`python -m seamline` is the `seamline` command."""

import sys

from seamline.cli import main

sys.exit(main())
