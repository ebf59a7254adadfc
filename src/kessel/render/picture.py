"""Drawings as files: SVG as it is, PNG by way of resvg or, failing that, a Chromium that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from kessel.core.errors import BadInput
from kessel.render.fonts import FILES, FOLDER

MOST_PIXELS = 120_000_000


def write_picture(svg: str, path: Path, *, zoom: float = 1.0) -> None:
    """Write a drawing as .svg or .png; BadInput says what is missing where a PNG cannot be made."""
    if path.suffix.lower() == ".svg":
        path.write_text(svg, encoding="utf-8")
    elif path.suffix.lower() == ".png":
        path.write_bytes(png(svg, zoom=zoom))
    else:
        raise BadInput(f"a picture is written as .svg or .png, not {path.suffix or 'without an ending'}", str(path))


def png(svg: str, *, zoom: float = 1.0) -> bytes:
    """The drawing as PNG, `zoom` times its own size."""
    width, height = drawing_size(svg)
    if width * height * zoom * zoom > MOST_PIXELS:
        raise BadInput(f"a picture of {width * zoom:.0f} by {height * zoom:.0f} pixels is too large; lower the zoom")
    try:
        import resvg_py
    except ModuleNotFoundError:
        return _png_by_browser(svg, zoom)
    fonts = [str(FOLDER / file) for file in FILES.values()]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=fonts))


def drawing_size(svg: str) -> tuple[float, float]:
    found = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    if found is None:
        raise BadInput("the drawing does not say how large it is")
    return float(found[1]), float(found[2])


def _png_by_browser(svg: str, zoom: float) -> bytes:
    browser = next((b for name in ("chromium", "chromium-browser", "google-chrome") if (b := shutil.which(name))), None)
    if browser is None:
        raise BadInput("PNG pictures need the package resvg-py (pip install 'kessel[render]') or an installed Chromium")
    width, height = drawing_size(svg)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "drawing.svg", Path(folder) / "drawing.png"
        source.write_text(svg, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-background-networking", f"--user-data-dir={folder}/profile",
            f"--window-size={round(width)},{round(height)}",
            f"--force-device-scale-factor={zoom:g}", f"--screenshot={target}", source.as_uri(),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if not target.exists():
            raise BadInput(f"{browser} could not make the picture: {done.stderr.strip()[-200:]}")
        return target.read_bytes()
