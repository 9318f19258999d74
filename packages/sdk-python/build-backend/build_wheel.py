"""Builds the wheel, as PEP 517 and PEP 427 say, with the standard library alone: `pip wheel --no-deps .` works offline."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path

_root = Path(__file__).resolve().parent.parent
_wheel = "Wheel-Version: 1.0\nGenerator: malipo\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = dict(re.findall(r'^([a-z-]+) = "(.*)"$', (_root / "pyproject.toml").read_text(), re.MULTILINE))
    # In the file name of a wheel, a hyphen ends the name of the project, so the name itself has underscores.
    base = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{base}.dist-info"
    files = {
        path.relative_to(_root).as_posix(): path.read_bytes()
        for path in sorted((_root / "malipo").iterdir())
        if path.is_file()
    }
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = _wheel.encode()
    files[f"{info}/RECORD"] = _record(files, info).encode()
    file = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            # A fixed time: the same sources make the same bytes.
            archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return file


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("Malipo is distributed as a wheel: build it with --wheel")


def _metadata(project):
    fields = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + (_root / "README.md").read_text("utf-8")


def _record(files, info):
    rows = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in files.items()]
    return "\n".join([*rows, f"{info}/RECORD,,", ""])


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
