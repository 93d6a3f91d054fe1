"""python -m graphcodable info|ls|dump|verify FILE"""

import sys

from .views.command import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
