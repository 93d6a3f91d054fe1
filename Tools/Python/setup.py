"""The native module, where its sources, a C compiler, and the headers of Python, LZ4 and xxHash are. Else the package has none."""

from __future__ import annotations

import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "Sources"
# Of the C target: blocks, with LZ4, filters and hashes; and files, with locks and what tells processes apart.
PARTS = [
    "append", "bit_sums", "bits", "bits_avx512", "block", "chain", "delta", "file", "filter", "hash", "lock", "lockfile", "memory",
    "numbers_decode", "numbers_expand", "numbers_memory", "numbers_plan", "numbers_predict", "numbers_series", "numbers_uniform", "numbers_vectors", "planes_compress", "planes_expand", "process", "quantise", "shuffle",
    "stream", "sums", "temporary",
]  # fmt: skip
OWN = ["native/files.c", "native/mapping.c", "native/memory.c", "native/module.c", "native/run.c"]
LIBRARIES = ["lz4", "xxhash"]
PROBE = "#include <Python.h>\n#include <lz4hc.h>\n#include <xxhash.h>\nint probe(void) { return (int)XXH3_64bits(0, 0); }\n"


def has_sources() -> bool:
    """Whether this is the tree of the project. What stands above a package that was unpacked somewhere may be anybody's.

    It is not asked for each source: one that is gone is an error, not a package without its module.
    """
    folders = [HERE / "native", SOURCES / "CGraphArchive" / "include", SOURCES / "CCallStack" / "include"]
    return (HERE.parent.name, HERE.name) == ("Tools", "Python") and all(path.is_dir() for path in folders)


def flags(option: str) -> list[str]:
    """What pkg-config says of the libraries. Without it they are where the compiler looks."""
    command = ["pkg-config", option, *(f"lib{name}" for name in LIBRARIES)]
    try:
        return shlex.split(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    except (OSError, subprocess.CalledProcessError):
        return [f"-l{name}" for name in LIBRARIES] if option == "--libs" else []


def extension(name: str, sources: list[str]) -> Extension:
    return Extension(
        name,
        sources,
        include_dirs=[str(SOURCES / target / "include") for target in ("CGraphArchive", "CCallStack")],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        extra_compile_args=["-O3", "-pthread", "-fvisibility=hidden", *flags("--cflags")],
        extra_link_args=["-pthread", *flags("--libs")],
        py_limited_api=True,
    )


def can_build() -> bool:
    """Tries. That an extension is optional would not do, since the wheel has its name, for which systems it is, before."""
    if sys.platform == "win32" or not has_sources() or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text(PROBE)
        command = build_ext(Distribution({"ext_modules": [extension("probe", [str(source)])]}))
        command.build_lib = command.build_temp = folder
        try:
            command.ensure_finalized()
            command.run()
        except Exception:  # Whatever it is that does not work.
            return False
    return True


class Building(build_ext):
    """Adds what is outside of this folder to the sources of the module, for as long as it is built: packages may not name it."""

    def build_extension(self, ext: Extension) -> None:
        own = ext.sources
        # Absolute paths: of others, the compiler would write as far above its folder as they are above this one.
        ext.sources = [str(HERE / path) for path in own] + [str(SOURCES / "CGraphArchive" / f"{part}.c") for part in PARTS]
        ext.depends = [str(path) for folder in (HERE / "native", SOURCES) for path in folder.rglob("*.h")]
        try:
            super().build_extension(ext)
        finally:
            ext.sources, ext.depends = own, []


setup(
    ext_modules=[extension("graphcodable._native", OWN)] if can_build() else [],
    cmdclass={"build_ext": Building},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
