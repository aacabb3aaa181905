"""The table of calls, written by hand: who may make each, and a body that it takes. `refusals` makes wrong requests of it."""

import dataclasses

BUCKET, OBJECT = "/storage/v1/b/{bucket}", "/storage/v1/b/{bucket}/o/{object}"
MODEL = "{p}/models/{model}"


@dataclasses.dataclass(frozen=True)
class Call:
    """One operation.

    `role` is the least that an admin needs: viewer, publisher, owner, operator, mirror; `signed` for anybody who is signed in,
    `app` and `device` for apps, `anyone` for everybody. Of `body`, the members in `needs` must be there. A body that is not
    `strict` may have members that the server ignores. `queries` are wrong or odd.
    """

    method: str
    path: str
    role: str
    body: dict | None = None
    needs: tuple = ()
    is_strict: bool = True
    # A body of other bytes than JSON.
    takes_bytes: bool = False
    queries: tuple = ()
    headers: tuple = ()

    @property
    def is_for_admins(self):
        return self.role not in ("app", "device", "anyone")


AUDIENCE = {"appVersionFrom": "1", "appVersionBelow": "2", "operatingSystems": ["ios"], "languages": ["de"], "countries": ["CH"],
            "tags": ["a"], "condition": "true"}
GUARDING = {"plan": [0.1, 1], "holdSeconds": 60, "onHarm": "pause", "off": []}
ALLOWED = {"allowContractChange": False, "allowCrashing": False, "allowFailedRehearsal": False}
STAGES = [{"time": "2040-01-01T00:00:00Z", "share": 0.5}]
RELEASE = {"share": 0.1, "stages": STAGES, "audience": AUDIENCE, "guarding": GUARDING, **ALLOWED}
METRIC = {"event": "a", "kind": "conversion", "lowerIsBetter": True, "model": "steady"}
EXPERIMENT = {
    "name": "made-of-parts", "note": "n", "goal": METRIC, "guardrails": [{"metric": METRIC, "margin": 0.1}],
    "plannedExposures": 1000, "errorRate": 0.05, "stopsAtWinner": True, "share": 0.5, "layer": "l", "audience": "true",
    "variants": [{"name": "a", "weight": 1, "parameters": {"k": "v"}, "models": {"steady": 1}}, {"name": "b"}]}
TEMPLATE = {
    "conditions": [{"name": "c", "expression": "true", "tagColor": "BLUE"}],
    "parameters": {"k": {"defaultValue": {"value": "v"}, "conditionalValues": {"c": {"useInAppDefault": True}},
        "description": "d", "valueType": "STRING"}},
    "parameterGroups": {"g": {"description": "d", "parameters": {}}}, "version": {"description": "d"}}
DEVICE = {
    "installationId": "cReplayDevice000000001", "appId": "a", "appVersion": "1", "appBuild": "1", "os": "ios", "language": "de",
    "country": "CH", "tags": ["a"], "userProperties": {"a": "b"}, "customSignals": {"a": "b"},
    "firstOpenTime": "2024-01-01T00:00:00Z"}
MODEL_BODY = {
    "displayName": "made-of-parts", "tags": ["a"], "state": {"published": False},
    "tfliteModel": {"gcsTfliteUri": "gs://nowhere/x"},
    "hearth": {"contractCheck": "warn", "rehearsalRequire": "", "rehearsalCheck": "warn"}}
EVENTS = {"journal": "journal-of-calls-00001", "items": [
    {"sequence": 1, "time": "2024-01-01T00:00:00Z", "event": {"name": "a", "value": 1.5, "model": "steady"}}]}
INSTALLATION = {"appId": "1:1:ios:x", "authVersion": "FIS_v2", "fid": "cReplayDevice000000008", "sdkVersion": "x"}
PAGES = ("pageSize=x", "pageSize=-1", "pageToken=%00")

CALLS = [
    Call("GET", "/healthz", "anyone"), Call("GET", "/readyz", "anyone"), Call("GET", "/hearth/v1/openapi.json", "anyone"),
    Call("POST", "/token", "anyone"),
    # Keys.
    Call("GET", "/hearth/v1/adminTokens", "operator"),
    Call("POST", "/hearth/v1/adminTokens", "operator", {"name": "n", "role": "viewer", "lifetimeSeconds": 60}, ("name", "role")),
    Call("DELETE", "/hearth/v1/adminTokens/{token}", "operator"),
    Call("GET", "{p}/adminTokens", "owner"),
    Call("POST", "{p}/adminTokens", "owner", {"name": "n", "role": "viewer", "lifetimeSeconds": 60}, ("name", "role")),
    Call("DELETE", "{p}/adminTokens/{token}", "owner"),
    Call("GET", "{p}/apiKeys", "owner"),
    Call("POST", "{p}/apiKeys", "owner", {"name": "n", "platform": "ios", "appId": "1:1:ios:x", "bundleIds": ["a.b"]}, ("name",)),
    Call("POST", "{p}/apiKeys:lookup", "owner", {"key": "x"}, ("key",)),
    Call("PATCH", "{p}/apiKeys/{key}", "owner", {"name": "n", "bundleIds": ["a.b"]}),
    Call("POST", "{p}/apiKeys/{key}:rotate", "owner", {"graceSeconds": 60}),
    Call("DELETE", "{p}/apiKeys/{key}", "owner"),
    Call("GET", "{p}/serviceAccounts", "owner"),
    Call("POST", "{p}/serviceAccounts", "owner", {"name": "n", "role": "viewer", "operator": False}, ("name", "role")),
    Call("PATCH", "{p}/serviceAccounts/{email}", "owner", {"role": "viewer"}, ("role",)),
    Call("DELETE", "{p}/serviceAccounts/{email}", "owner"),
    Call("POST", "{p}/serviceAccounts/{email}/keys", "owner"),
    Call("DELETE", "{p}/serviceAccounts/{email}/keys/{account-key}", "owner"),
    Call("GET", "/hearth/v1/audit", "operator", queries=(*PAGES, "startTime=x", "endTime=x")),
    Call("GET", "{p}/audit", "owner", queries=(*PAGES, "startTime=x", "endTime=x")),
    Call("GET", "/hearth/v1/caller", "signed"),
    Call("GET", "/hearth/v1/server/signingKeys", "operator"),
    Call("POST", "/hearth/v1/server/signingKeys", "operator"),
    Call("POST", "/hearth/v1/server/signingKeys/{signing-key}:retire", "operator"),
    Call("GET", "/hearth/v1/projects", "signed"),
    Call("POST", "/hearth/v1/projects", "operator", {"projectId": "new-project"}, ("projectId",)),
    Call("GET", "{p}", "viewer"), Call("DELETE", "{p}", "operator"),
    Call("GET", "{p}/overview", "viewer"), Call("GET", "{p}/modelNames", "viewer"),
    Call("GET", "{p}/search", "viewer", queries=("q=a", "q=", "q=" + "x" * 101)),
    # The console.
    Call("POST", "/hearth/v1/signInCodes", "signed"),
    Call("GET", "/hearth/v1/consoleSessions", "signed"), Call("DELETE", "/hearth/v1/consoleSessions/{session}", "signed"),
    Call("GET", "{p}/sharedLinks", "publisher"),
    Call("POST", "{p}/sharedLinks", "publisher", {"model": "1", "release": 1, "experiment": "a", "lifetimeSeconds": 60}),
    Call("DELETE", "{p}/sharedLinks/{link}", "publisher"),
    # The server and its followers.
    Call("GET", "/hearth/v1/server", "signed"),
    Call("GET", "/hearth/v1/server/mirror", "mirror"), Call("GET", "/hearth/v1/server/mirror/files/{sha256}", "mirror"),
    Call("GET", "/hearth/v1/server/mirror/installations", "mirror",
        queries=("created=x", "created=1", "created=1&project=a&fid=b")),
    Call("POST", "/hearth/v1/server/mirror/installations", "mirror", {"installations": [
        {"project": "replay-main", "fid": "cReplayDevice000000008", "appId": "a", "created": 1}]}, ("installations",),
        is_strict=False),
    # Models.
    Call("GET", "{ml}", "viewer", queries=(*PAGES, "filter=nonsense")),
    Call("POST", "{ml}", "publisher", MODEL_BODY, is_strict=False),
    Call("GET", "{ml}/{model}", "viewer"),
    Call("PATCH", "{ml}/{model}", "publisher", MODEL_BODY, is_strict=False, queries=("updateMask=nonsense",)),
    Call("DELETE", "{ml}/{model}", "publisher"), Call("GET", "/v1beta2/projects/{project}/operations/{operation}", "viewer"),
    Call("GET", MODEL + "/versions", "viewer", queries=("contracts=maybe",)),
    Call("POST", MODEL + "/versions", "publisher", {"source": "gs://nowhere/x", "note": "n"}, ("source",)),
    Call("GET", MODEL + "/versions/{version}", "viewer"),
    Call("PATCH", MODEL + "/versions/{version}", "publisher", {"note": "n"}, ("note",)),
    Call("GET", MODEL + "/versions/{version}:compare", "viewer", queries=("with=x", "with=9")),
    Call("POST", MODEL + "/versions/{version}:try", "viewer", takes_bytes=True, queries=("threshold=x",)),
    Call("GET", MODEL + "/aliases", "viewer"), Call("PUT", MODEL + "/aliases/{alias}", "publisher", {"version": 1}, ("version",)),
    Call("DELETE", MODEL + "/aliases/{alias}", "publisher"),
    Call("GET", MODEL + "/devices", "viewer", queries=("maxAge=x", "maxAge=-1", "maxAge=99999")),
    Call("GET", MODEL + "/recentDevices", "viewer", queries=("pageSize=x", "version=x")),
    Call("GET", MODEL + "/health", "viewer", queries=("hours=x", "hours=0", "version=x")),
    Call("GET", MODEL + ":explain", "viewer", queries=("installation=x", "installation=cReplayDevice000000001&country=x")),
    Call("GET", MODEL + "/pins", "viewer"),
    Call("POST", MODEL + ":pin", "publisher", {"installation": "x", "tag": "a", "version": 1, "allowCrashing": False},
        ("version",)),
    Call("POST", MODEL + ":unpin", "publisher", {"installation": "x", "tag": "a"}),
    Call("GET", MODEL + "/releases", "viewer"), Call("POST", MODEL + "/releases", "publisher", {"version": 99, **RELEASE}),
    Call("GET", "{p}/models/{released}/releases/{release}", "viewer"),
    Call("PATCH", "{p}/models/{released}/releases/{release}", "publisher", RELEASE),
    Call("POST", "{p}/models/{released}/releases/{release}:pause", "publisher"),
    Call("POST", "{p}/models/{released}/releases/{release}:resume", "publisher"),
    Call("POST", "{p}/models/{released}/releases/{release}:end", "publisher"),
    Call("POST", MODEL + ":rollback", "publisher", {"version": 99, "validateOnly": True, **ALLOWED}),
    Call("GET", "{p}/models/{digits}/images", "publisher"), Call("GET", "{p}/models/{digits}/images/{image}", "publisher"),
    Call("PUT", "{p}/models/{digits}/images/{image}", "publisher", takes_bytes=True, queries=("label=%0A",)),
    Call("DELETE", "{p}/models/{digits}/images/{image}", "publisher"), Call("GET", "{p}/models/{digits}/rehearsals", "publisher"),
    Call("POST", "{p}/models/{digits}/rehearsals", "publisher", {"version": 99, "against": 98, "again": False}),
    Call("GET", "{p}/models/{digits}/rehearsals/{rehearsal}", "publisher"),
    # Uploads.
    Call("GET", "{p}/uploads", "publisher"), Call("POST", "{p}/uploads", "publisher", takes_bytes=True, queries=("name=a%2Fb",)),
    Call("PUT", "{p}/uploads", "publisher", takes_bytes=True, queries=("upload_id=x",)),
    Call("DELETE", "{p}/uploads", "publisher", queries=("upload_id=x",)),
    Call("DELETE", "{p}/uploads/{upload}", "publisher"),
    Call("POST", "{p}/uploads:pack", "publisher", {"source": "gs://nowhere/x"}, ("source",)),
    # Google's storage.
    Call("GET", "/storage/v1/b", "viewer"), Call("POST", "/storage/v1/b", "viewer"), Call("GET", BUCKET, "viewer"),
    Call("DELETE", BUCKET, "viewer"), Call("PATCH", BUCKET, "viewer"), Call("PUT", BUCKET, "viewer"),
    Call("GET", BUCKET + "/o", "viewer", queries=("maxResults=x", "matchGlob=a")),
    Call("GET", OBJECT, "viewer", queries=("alt=media", "generation=x")),
    Call("DELETE", OBJECT, "publisher", queries=("generation=x",)), Call("PATCH", OBJECT, "viewer"),
    Call("PUT", OBJECT, "viewer"),
    Call("POST", OBJECT + "/compose", "viewer"), Call("POST", OBJECT + "/copyTo/b/{bucket}/o/other", "viewer"),
    Call("POST", OBJECT + "/rewriteTo/b/{bucket}/o/other", "viewer"), Call("POST", "/batch/storage/v1", "viewer"),
    Call("GET", "/download" + OBJECT, "viewer", queries=("alt=media",)),
    Call("POST", "/upload" + BUCKET + "/o", "publisher", takes_bytes=True, queries=("uploadType=media", "uploadType=x")),
    Call("PUT", "/upload" + BUCKET + "/o", "publisher", takes_bytes=True, queries=("upload_id=x",)),
    Call("DELETE", "/upload" + BUCKET + "/o", "publisher", queries=("upload_id=x",)),
    # Remote Config.
    *(call for root in ("{rc}/remoteConfig", "{rc}/namespaces/{namespace}/remoteConfig") for call in (
        Call("GET", root, "viewer", queries=("versionNumber=x", "versionNumber=99")),
        Call("PUT", root, "publisher", TEMPLATE, is_strict=False, queries=("validateOnly=true",),
            headers=(("If-Match", "etag-of-another"),)),
        Call("GET", root + ":listVersions", "viewer", queries=(*PAGES, "startTime=x")),
        Call("GET", root + ":downloadDefaults", "viewer", queries=("format=JSON", "format=x")),
        Call("POST", root + ":rollback", "publisher", {"versionNumber": "99"}, is_strict=False, queries=("versionNumber=x",)),
        Call("POST", root + ":importVersion", "owner", TEMPLATE, is_strict=False))),
    Call("GET", "{rc}/namespaces/firebase-server/serverRemoteConfig", "viewer"),
    *(Call("POST", root + ":evaluate", "viewer",
        {"device": DEVICE, "version": 99, "time": "2024-01-01T00:00:00Z", "template": TEMPLATE})
      for root in ("{p}/remoteConfig", "{p}/namespaces/{namespace}/remoteConfig")),
    # Experiments.
    Call("GET", "{p}/experiments", "viewer", queries=("state=x",)),
    Call("POST", "{p}/experiments", "publisher", EXPERIMENT, ("name", "goal", "variants")),
    Call("GET", "{p}/experiments/{experiment}", "viewer"),
    Call("PUT", "{p}/experiments/{experiment}", "publisher", EXPERIMENT, ("name", "goal", "variants")),
    Call("DELETE", "{p}/experiments/{experiment}", "publisher"),
    Call("GET", "{p}/experiments/{experiment}/results", "viewer", queries=("maxAge=x",)),
    Call("GET", "{p}/experiments/{experiment}/history", "viewer"),
    Call("GET", "{p}/experiments/{experiment}/data", "publisher", queries=("pageSize=x", "pageToken=x")),
    Call("GET", "{p}/experiments/{experiment}/pins", "viewer"),
    Call("POST", "{p}/experiments/{experiment}:pin", "publisher", {"installation": "x", "tag": "a", "variant": "v"},
        ("variant",)),
    Call("POST", "{p}/experiments/{experiment}:unpin", "publisher", {"installation": "x", "tag": "a"}),
    Call("POST", "{p}/experiments/{experiment}:start", "publisher", ALLOWED),
    Call("POST", "{p}/experiments/{experiment}:stop", "publisher", {"winner": "w"}),
    Call("POST", "{p}/experiments/{experiment}:rollOut", "publisher", {"variant": "v", **ALLOWED}, ("variant",)),
    Call("GET", "{rc}/namespaces/{namespace}/experiments", "viewer", queries=PAGES),
    Call("GET", "{rc}/namespaces/{namespace}/experiments/{experiment}", "viewer"),
    Call("DELETE", "{rc}/namespaces/{namespace}/experiments/{experiment}", "publisher"), Call("GET", "{p}/events", "viewer"),
    # Apps.
    Call("POST", "{p}/events", "device", EVENTS, ("journal", "items")),
    Call("POST", "{rc}/installations", "app", INSTALLATION, ("appId",), is_strict=False),
    Call("DELETE", "{rc}/installations/{fid}", "app"),
    Call("POST", "{rc}/installations/{fid}/authTokens:generate", "app", {"installation": {"sdkVersion": "x", "appId": "y"}},
        is_strict=False),
    Call("POST", "{rc}/namespaces/{namespace}:fetch", "device", {"appInstanceId": "x", "appId": "y"}, is_strict=False),
    Call("POST", "{rc}/namespaces/{namespace}:streamFetchInvalidations", "device"),
    Call("GET", "{ml}/steady:download", "device"),
    Call("GET", "/hearth/v1/files/{sha256}", "anyone", queries=("expires=1&signature=x", "expires=x")),
]
