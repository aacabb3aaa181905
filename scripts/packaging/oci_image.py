#!/usr/bin/env python3
"""Writes a container image of one layer, as the Open Container Initiative's image format describes it.

usage: scripts/packaging/oci_image.py ROOT.tar IMAGE.tar --architecture ARCH --version VERSION --commit COMMIT
for example: scripts/packaging/oci_image.py root.tar hearth.oci.tar --architecture amd64 --version 0.1.0 --commit 0d682b54

The same root makes the same bytes: all times are SOURCE_DATE_EPOCH. exit status: 0 written; 1 the root has no user hearth
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def is_left_out(name):
    """A container gets its own devices, processes, name and name servers; the machine that made the root has no say there."""
    path = name.removeprefix("./").rstrip("/")
    first = path.split("/")[0]
    return path in ("etc/hostname", "etc/resolv.conf") or first in ("dev", "proc", "sys") and path != first


def layer(path):
    """The root as a compressed layer: its bytes, the hash of what is inside, and the user and group of the server."""
    plain = io.BytesIO()
    account = None
    with tarfile.open(path) as source, tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as target:
        for member in sorted(source, key=lambda member: member.name):
            if is_left_out(member.name) or member.ischr() or member.isblk():
                continue
            data = source.extractfile(member).read() if member.isfile() else None
            if member.name.removeprefix("./") == "etc/passwd":
                account = next((line.split(":")[2:4] for line in data.decode().splitlines() if line.startswith("hearth:")), None)
            member.mtime = min(int(member.mtime), EPOCH) if EPOCH else int(member.mtime)
            target.addfile(member, io.BytesIO(data) if data is not None else None)
    if account is None:
        sys.exit("oci_image: error: the root has no user hearth; was the package installed in it?")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0, filename="") as file:
        file.write(plain.getbuffer())
    return packed.getvalue(), hashlib.sha256(plain.getbuffer()).hexdigest(), ":".join(account)


class Image:
    """The files of an image layout, named by their hashes."""

    def __init__(self):
        self.files = {"oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode()}

    def add(self, kind, data):
        digest = hashlib.sha256(data).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def write(self, path):
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as target:
            # Some tools give folders that the archive does not list to root, which only root may do.
            for name in ("blobs", "blobs/sha256"):
                member = tarfile.TarInfo(name)
                member.type, member.mode, member.mtime = tarfile.DIRTYPE, 0o755, EPOCH
                target.addfile(member)
            for name, data in sorted(self.files.items()):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                member.mtime = EPOCH
                target.addfile(member, io.BytesIO(data))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("root")
    arguments.add_argument("image")
    arguments.add_argument("--architecture", required=True)
    arguments.add_argument("--version", required=True)
    arguments.add_argument("--commit", required=True)
    chosen = arguments.parse_args()
    packed, inside, user = layer(chosen.root)
    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    image = Image()
    config = {
        "created": created, "architecture": chosen.architecture, "os": "linux",
        "config": {
            "User": user,
            "Entrypoint": ["/usr/bin/hearth"],
            "Cmd": ["serve"],
            "ExposedPorts": {"8787/tcp": {}}, "Volumes": {"/var/lib/hearth": {}}, "StopSignal": "SIGTERM",
            # Settings as variables, so that a container can change each of them. It is behind whatever makes its port
            # reachable, which does TLS.
            "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/var/lib/hearth", "HEARTH_DATA=/var/lib/hearth",
                    "HEARTH_ADDRESS=0.0.0.0", "HEARTH_PORT=8787", "HEARTH_INSECURE_HTTP=true",
                    "HEARTH_PUBLIC_URL=http://localhost:8787"],
            "WorkingDir": "/",
            "Labels": {"org.opencontainers.image.title": "hearth", "org.opencontainers.image.version": chosen.version,
                       "org.opencontainers.image.revision": chosen.commit, "org.opencontainers.image.licenses": "Apache-2.0"},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{inside}"]},
        "history": [{"created": created, "created_by": "scripts/package"}],
    }
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": image.add("config.v1+json", json.dumps(config, sort_keys=True).encode()),
        "layers": [image.add("layer.v1.tar+gzip", packed)],
    }
    described = image.add("manifest.v1+json", json.dumps(manifest, sort_keys=True).encode())
    described["annotations"] = {"org.opencontainers.image.ref.name": f"hearth:{chosen.version}"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [described]}
    image.files["index.json"] = json.dumps(index, sort_keys=True).encode()
    image.write(chosen.image)


main()
