"""`kessel` and `python -m kessel`: the command line, or one sentence about what to install for it."""

from __future__ import annotations

import sys

EXTRA_OF = {
    "chess": "lab",
    "fastapi": "table",
    "h11": "table",
    "networkx": "lab",
    "numpy": "mapping",
    "psycopg": "postgres",
    "pyarrow": "parquet",
    "pydantic": "table",
    "pyspiel": "spiel",
    "ray": "ray",
    "resvg_py": "render",
    "rich": "cli",
    "scipy": "lab",
    "sqlalchemy": "table",
    "starlette": "table",
    "structlog": "table",
    "typer": "cli",
    "uvicorn": "table",
    "websockets": "table",
}
"""The extra of the installation each package comes with."""


def main() -> None:
    try:
        from kessel.cli import main as run

        run()
    except KeyboardInterrupt:
        print("kessel: stopped", file=sys.stderr)
        sys.exit(1)
    except ModuleNotFoundError as e:
        package = (e.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        said = f"this needs {package}, which is not installed; get it with: pip install 'kessel[{EXTRA_OF[package]}]'"
        print(f"kessel: {said}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
