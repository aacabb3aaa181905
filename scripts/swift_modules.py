"""The modules whose public interface users see, and how the toolchain's printers find them. For scripts/api and scripts/docs."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_manifest():
    command = ["swift", "package", "--package-path", ROOT, "dump-package"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def exported_modules(manifest):
    """The modules of the library products and those that they re-export, by name, with the folder of each."""
    folders = {target["name"]: ROOT / target["path"] for target in manifest["targets"] if target.get("path")}
    waiting = [name for product in manifest["products"] if "library" in product["type"] for name in product["targets"]]
    found = {}
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = folders[name]
        waiting += [module for module in re_exports(folders[name]) if module in folders]
    return dict(sorted(found.items()))


def compiler_options(manifest, build):
    """What the printer needs to find the modules: Swift's, and those of C libraries."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True).stdout)["target"]
    options = ["-I", build / "Modules", "-target", target["triple"]]
    for path in sorted([*ROOT.glob("Sources/Native/*/module.modulemap"), *build.glob("C*.build/module.modulemap")]):
        options += ["-Xcc", f"-fmodule-map-file={path}"]
    libraries = [target["pkgConfig"] for target in manifest["targets"] if target.get("pkgConfig")]
    flags = subprocess.run(["pkg-config", "--cflags", *libraries], capture_output=True, text=True)
    return options + [part for flag in flags.stdout.split() for part in ("-Xcc", flag)]


def re_exports(folder):
    """The modules that the files of a folder re-export."""
    return sorted({name for path in folder.rglob("*.swift") for name in re.findall(r"(?m)^@_exported public import (\w+)$", path.read_text())})
