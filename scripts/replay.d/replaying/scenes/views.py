"""What the server says about everything at once, before a restart and after it."""


def recent(world):
    """The devices that asked last, which the server remembers until it stops."""
    world.recorder.begin("recent devices")
    for model in ("model", "released"):
        for query in (
                "", "?pageSize=1", "?pageSize=x", "?pageSize=0", "?os=ios", "?appVersion=2.5", "?language=de-CH", "?country=CH",
                "?tag=kiosk", "?tag=nothing", "?version=1", "?version=x"):
            world.ask("GET", f"{{p}}/models/{{{model}}}/recentDevices" + query, "viewer")
    for fid in world.fids[:2]:
        world.ask("GET", "{p}/models/{released}:explain?installation=" + fid, "viewer")


def restarted(world):
    """What is there after a restart, when the server has written what it had in memory."""
    world.recorder.begin("after a restart")
    world.settle()
    world.until("a look at the releases", lambda: all(
        rollout.get("guardState") != "waiting" for rollout in world.look("GET", "{p}/overview")["rollouts"]))
    for path in (
            "/readyz", "/hearth/v1/caller", "{p}/overview", "{p}/events", "{ml}", "{p}/models/{model}/health",
            "{p}/models/{released}/releases", "{p}/uploads", "{p}/experiments/versions/results",
            "{p}/models/{model}/recentDevices", "{rc}/remoteConfig", "/hearth/v1/consoleSessions", "{p}/sharedLinks"):
        world.ask("GET", path, "operator")
    world.ask("GET", "{ml}/steady:download", "device 1")
    world.ask("POST", "{rc}/namespaces/firebase:fetch", "device 1", json={})
    world.ask("POST", "{rc}/installations/{fid}/authTokens:generate", "renewing 1", json={})


def views(world):
    """What the server says about everything at once."""
    world.recorder.begin("views")
    for caller in ("viewer", "stranger", "mirror"):
        world.ask("GET", "{p}/overview", caller)
        world.ask("GET", "{p}/modelNames", caller)
    for text in (
            "stead", "kiosk", "swiss", "welcome", "colours", "champion", "{fid}", "", "x" * 101, "%25", "a%20b",
            "nothing-at-all"):
        world.ask("GET", "{p}/search?q=" + text, "viewer")
    world.ask("GET", "{p}/search", "viewer")
    for query in (
            "", "?pageSize=2", "?pageSize=2&pageToken=9", "?action=model.publish", "?action=model", "?actor=owner",
            "?actor=nobody", "?model=steady", "?model=models/1000001", "?startTime=2040-01-01T00:00:00Z",
            "?endTime=2040-01-01T00:00:00Z&pageSize=1", "?startTime=x", "?pageSize=x", "?pageToken=x"):
        world.ask("GET", "{p}/audit" + query, "owner")
        world.ask("GET", "/hearth/v1/audit" + query, "operator")
    world.ask("GET", "/hearth/v1/audit", "owner")
    world.ask("GET", "{p}/audit", "viewer")
    for model in ("model", "released"):
        for query in ("", "?version=1", "?version=9", "?hours=1", "?hours=2160", "?hours=0", "?hours=x", "?version=x"):
            world.ask("GET", f"{{p}}/models/{{{model}}}/health" + query, "viewer")
    for model in ("model", "released", "digits"):
        for query in ("", "?maxAge=0", "?maxAge=86400", "?maxAge=86401", "?maxAge=x"):
            world.ask("GET", f"{{p}}/models/{{{model}}}/devices" + query, "viewer")
    for caller in ("operator", "owner", "mirror"):
        world.ask("GET", "/hearth/v1/server", caller)
