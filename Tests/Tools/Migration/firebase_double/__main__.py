"""Runs the double: python3 -m firebase_double --folder FOLDER. See --help."""

import argparse
import json
import os
import plistlib
import shlex
import signal
import sys
from urllib.parse import quote

from .credentials import Credentials
from .faults import Faults
from .project import Project
from .server import Double

parser = argparse.ArgumentParser(
    prog="firebase-double",
    description="Plays the Google services that an import out of Firebase calls, with an invented project. It stands on Google's "
    "documents; nobody compared it with Google's services.",
    epilog="for example: scripts/firebase-double --folder double --models 10 --versions 20 --experiments 4",
)
parser.add_argument("--folder", required=True, help="where it writes credentials, the console's command and expected.json")
parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
parser.add_argument("--project", default="rehearsal-1234", help="the project's id")
parser.add_argument("--models", type=int, default=10)
parser.add_argument("--model-bytes", type=int, default=10_000_000, help="of all models together")
parser.add_argument("--model-file", action="append", default=[], help="a real model; may be given several times")
parser.add_argument("--versions", type=int, default=20, help="of the client template; the server template has a tenth")
parser.add_argument("--experiments", type=int, default=4, help="and a quarter as many rollouts")
parser.add_argument("--faults", type=float, default=0, help="the share of requests that fail, 0 to 1")
parser.add_argument("--seed", type=int, default=1, help="of the faults")
parser.add_argument("--slow", type=int, default=0, help="bytes per second of each download; 0 for no limit")
parser.add_argument("--link-seconds", type=int, default=604800, help="how long the links of devices work")
parser.add_argument("--token-seconds", type=int, default=3600, help="how long access tokens work")
parser.add_argument("--page-limit", type=int, default=100000, help="the most items of a page")
parser.add_argument("--download-quota", type=int, default=0, help="answers for devices within 10 seconds; 0 for no limit")


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def write_folder(options, project, credentials, url):
    """What a user has of Google before an import."""
    with open(credentials.key, encoding="ascii") as file:
        key = file.read()
    account = {"type": "service_account", "project_id": project.id, "private_key_id": "0123456789abcdef", "private_key": key,
               "client_email": credentials.email, "client_id": "1", "token_uri": f"{url}/token"}
    write(options.folder, "service-account.json", json.dumps(account, indent=2).encode())
    app = {"API_KEY": credentials.api_key, "GOOGLE_APP_ID": f"1:{project.number}:ios:0123456789abcdef",
           "GCM_SENDER_ID": project.number, "PROJECT_ID": project.id, "BUNDLE_ID": "com.example.rehearsal",
           "STORAGE_BUCKET": f"{project.id}.appspot.com", "IS_ADS_ENABLED": False}
    write(options.folder, "GoogleService-Info.plist", plistlib.dumps(app))
    # The console's own command is not documented in its form.
    lines = ["mkdir -p hosted_models", "curl --create-dirs \\"]
    for model in project.models:
        if model.bytes_by == "storage":
            # Seven days, as Google says.
            link = credentials.link(url, f"/signed/{quote(model.object)}", seconds=604800)
            lines.append(f"  -o {shlex.quote(f'hosted_models/{model.name}.tflite')} {shlex.quote(link)} \\")
    write(options.folder, "bulk-download.txt", ("\n".join(lines).rstrip("\\").rstrip() + "\n").encode())
    write(options.folder, "expected.json", json.dumps(project.expected(), indent=2).encode())


def main():
    options = parser.parse_args()
    if options.models and not options.model_file:
        parser.error("--models needs a --model-file")
    os.makedirs(options.folder, exist_ok=True)
    credentials = Credentials(options.folder, options.token_seconds, options.link_seconds)
    project = Project(options)
    double = Double(options, project, credentials, Faults(options.faults, options.seed))
    write_folder(options, project, credentials, double.url)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"ready {double.url}", flush=True)
    double.serve_forever()


if __name__ == "__main__":
    main()
