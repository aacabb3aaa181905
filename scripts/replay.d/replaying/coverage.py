"""Which operations of docs/openapi.json a recording called with success."""

import json
import re

from replaying.world import ROOT


def operations():
    """Method and pattern of a path, by name, those with words in place of parameters first."""
    document = json.loads((ROOT / "docs/openapi.json").read_text())
    found = {}
    for path, methods in document["paths"].items():
        # A name in a path may have a colon, but the verb behind the last one is not a part of it.
        pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/:]+", re.escape(path)) + "/?$")
        for method in methods:
            found[f"{method.upper()} {path}"] = (method.upper(), pattern, path.count("{"))
    return dict(sorted(found.items(), key=lambda item: item[1][2]))


def missed(answered):
    """The operations that no request called with success. `answered` has method, path and whether it was a success."""
    known = operations()
    hit = set()
    for method, path, is_success in answered:
        if is_success:
            name = next((name for name, (verb, pattern, _) in known.items() if verb == method and pattern.match(path)), None)
            hit.add(name)
    return [name for name in known if name not in hit]
