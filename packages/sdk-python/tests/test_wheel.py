import base64
import csv
import hashlib
import os
import subprocess
import sys
import unittest
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import malipo

WHEEL = Path(os.environ["MALIPO_WHEEL"])


class Wheel(unittest.TestCase):
    def test_is_installed_with_types_where_these_tests_import_it(self):
        installed = Path(malipo.__file__).parent
        self.assertTrue((installed / "py.typed").is_file())
        self.assertEqual(installed.parent, Path(os.environ["PYTHONPATH"].split(os.pathsep)[0]))
        self.assertEqual(distribution("malipo-checkout").metadata["Requires-Python"], ">=3.9")
        self.assertIn("# malipo for Python", distribution("malipo-checkout").metadata.get_payload())

    def test_is_named_malipo_checkout_because_malipo_is_another_package(self):
        self.assertEqual(WHEEL.name, "malipo_checkout-0.1.0-py3-none-any.whl")

    def test_records_every_file_with_its_digest(self):
        with zipfile.ZipFile(WHEEL) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        record = next(name for name in contents if name.endswith(".dist-info/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(contents[record].decode().splitlines())}
        digests = {
            name: "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            for name, content in contents.items()
        }
        self.assertEqual(rows, {**digests, record: ""})

    def test_needs_nothing_but_the_standard_library(self):
        program = "import sys; import malipo; print('\\n'.join(sys.modules))"
        isolated = [sys.executable, "-S", "-c", program]
        loaded = subprocess.run(isolated, capture_output=True, text=True, check=True, timeout=60).stdout.split()
        self.assertIn("malipo.client", loaded)
