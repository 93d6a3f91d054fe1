"""How long tests may take."""

from __future__ import annotations

import os

# Minutes, as for those of Swift by `make soak`.
IS_THOROUGH = os.environ.get("GRAPHCODABLE_THOROUGH") == "1"
