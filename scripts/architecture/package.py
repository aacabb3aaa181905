"""The package as the rules see it: declared targets, and the files of the checkout."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from dataclasses import dataclass, field


class ManifestError(Exception):
    """The manifest cannot be read; the text says why."""


@dataclass(frozen=True)
class Target:
    name: str
    path: str
    dependencies: tuple[str, ...]
    # Its place in the manifest: later ones may build on earlier ones.
    position: int

    @property
    def floor(self) -> str:
        """Native, Shared, Device, Server or Tools for `Sources/<floor>/...`; Tests for `Tests/...`."""
        parts = self.path.split("/")
        return parts[1] if parts[0] == "Sources" and len(parts) > 1 else parts[0]


@dataclass
class Package:
    root: pathlib.Path
    targets: dict[str, Target]
    files: list[str]
    # The targets of the library products.
    products: tuple[str, ...] = ()
    _texts: dict[str, str | None] = field(default_factory=dict)

    @staticmethod
    def read(root: pathlib.Path) -> Package:
        manifest = dump_manifest(root)
        return Package(root, targets_of(manifest), list_files(root), products_of(manifest))

    def text(self, path: str) -> str | None:
        """The file's text, or None for one that is not text (a picture, a model)."""
        if path not in self._texts:
            data = (self.root / path).read_bytes()
            self._texts[path] = None if b"\0" in data else data.decode("utf-8", errors="replace")
        return self._texts[path]

    def target_of(self, path: str) -> Target | None:
        """The target whose folder holds the file; the innermost one where folders nest."""
        holding = [target for target in self.targets.values() if path.startswith(target.path + "/")]
        return max(holding, key=lambda target: len(target.path), default=None)

    def exported(self) -> set[str]:
        """The targets whose public declarations users see: those of the products, and what these re-export."""
        found: set[str] = set()
        waiting = list(self.products)
        while waiting:
            name = waiting.pop()
            if name in self.targets and name not in found:
                found.add(name)
                texts = (self.text(path) or "" for path in self.files if path.startswith(self.targets[name].path + "/"))
                waiting += [module for text in texts for module in re.findall(r"(?m)^@_exported public import (\w+)$", text)]
        return found

    def swift_files(self) -> list[str]:
        return [path for path in self.files if path.endswith(".swift") and path.startswith(("Sources/", "Tests/"))]


def dump_manifest(root: pathlib.Path) -> dict:
    command = ["swift", "package", "--package-path", str(root), "dump-package"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ManifestError(f"cannot run swift: {error.strerror}") from error
    if result.returncode != 0:
        raise ManifestError(f"cannot read {root}/Package.swift: {result.stderr.strip()}")
    return json.loads(result.stdout)


def targets_of(manifest: dict) -> dict[str, Target]:
    targets = {}
    for position, target in enumerate(manifest["targets"]):
        name = target["name"]
        path = (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}").rstrip("/")
        # A dependency is {"byName": ["HearthWire", condition]} or {"target": [...]}.
        dependencies = (next(iter(dependency.values()))[0] for dependency in target["dependencies"])
        targets[name] = Target(name, path, tuple(dependencies), position)
    return targets


def products_of(manifest: dict) -> tuple[str, ...]:
    """The targets of the library products."""
    return tuple(name for product in manifest["products"] if "library" in product["type"] for name in product["targets"])


def list_files(root: pathlib.Path) -> list[str]:
    """What is committed, or would be by `git add`; every file where there is no repository."""
    if (root / ".git").exists():
        command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    else:
        listing = (str(path.relative_to(root)) for path in root.rglob("*"))
    return sorted(
        path
        for path in set(listing)
        if path and not path.startswith(".build/") and (root / path).is_file() and not (root / path).is_symlink()
    )
