/// The version of the library that this tool is of, as in `Tools/Python/pyproject.toml`; `make lint` compares them.
let toolVersion = "0.1.0"
