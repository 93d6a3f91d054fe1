"""The version of the format, and what of it a reader must understand."""

VERSION = 1
UNDERSTOOD = 0x00FF  # Features that a reader has to know.
OVERLAID_EXTENTS, EXTENTS_OF_DIFFERENCES = 1 << 3, 1 << 4  # Those of an archive in pieces.
# What bits that must be understood are reserved for.
FEATURES = (
    "blocks that other files hold", "parts of a set of files", "values in extensions", "overlaid extents", "extents of differences",
)  # fmt: skip


def refusal(what: str, version: int, features: int) -> tuple[str, int] | None:
    """Why a header of some version and features is not read, and where that stands; `None` if it is."""
    if version != VERSION:
        return f"{what} has format version {version}; this package reads version {VERSION}", 8
    bits = [bit for bit in range(8) if features >> bit & 1]
    if not bits:
        return None
    names = ", ".join(f"{bit} ({FEATURES[bit]})" if bit < len(FEATURES) else str(bit) for bit in bits)
    return f"{what} needs feature {names}, which this package does not know: update it to read the file", 10
