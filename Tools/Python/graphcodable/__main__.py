"""python -m graphcodable info|ls|dump|verify FILE, import|export IN OUT"""

import sys

from .trajectories import command
from .views.command import main as main_with

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """The command, with import and export."""
    return main_with(arguments, command)


if __name__ == "__main__":
    sys.exit(main())
