"""Models and photos that do not belong to the package."""

import os
import pathlib

from harness.worker import ROOT


def shared_data():
    """The folder beside the checkout, where the tests look too; it may be absent."""
    return pathlib.Path(os.environ.get("HEARTH_SHARED_DATA") or ROOT.parent / "shared/data")
