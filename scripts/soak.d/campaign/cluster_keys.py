"""Admin tokens and API keys of several servers, and where they work; each server is asked itself, not through the load balancer."""

import time
import types

from campaign.client import Admin, call
from campaign.cluster import poll

# What guides promise: a change holds at all servers.
HEARING_SECONDS = 2


def at(cluster, member):
    """What `Admin` and `Device` take, for one server."""
    return types.SimpleNamespace(url=member.url, admin=cluster.admin, device=cluster.device)


class Keys:
    """Made and revoked at the first server."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.admin = Admin(at(cluster, cluster.members[0]))

    def make_token(self, name):
        """Its id and the secret."""
        made = self.admin.json("POST", f"{self.admin.hearth}/adminTokens", {"name": name, "role": "viewer"})
        return made["id"], made["token"]

    def revoke_token(self, token):
        self.admin.json("DELETE", f"{self.admin.hearth}/adminTokens/{token[0]}")

    def make_key(self, name):
        made = self.admin.json("POST", f"{self.admin.hearth}/apiKeys", {"name": name})
        return made["id"], made["key"]

    def revoke_key(self, key):
        self.admin.json("DELETE", f"{self.admin.hearth}/apiKeys/{key[0]}")

    def token_works(self, member, token):
        path = self.admin.models.removeprefix(self.cluster.members[0].url)
        return call("GET", member.url + path, None, {"Authorization": f"Bearer {token[1]}"})[0]

    def key_works(self, member, key, device):
        path = device.models.removeprefix(self.cluster.url)
        return call("GET", f"{member.url}{path}/no-such-model:download", None, {**device.headers, "x-goog-api-key": key[1]})[0]

    def wait(self, what, look, allowed, deadline=None):
        """Problems: the servers at which `look` does not give one of the statuses `allowed` until the moment `deadline`."""
        deadline = deadline or time.monotonic() + HEARING_SECONDS
        problems = []
        for member in self.cluster.members:
            if not poll(lambda: look(member) in allowed, max(0.01, deadline - time.monotonic())):
                problems.append(f"{what}: server {member.number} still answers {look(member)}, not one of {allowed}")
        return problems
