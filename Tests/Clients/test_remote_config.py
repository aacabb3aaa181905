"""The stock firebase_admin.remote_config reads and evaluates server templates of a Hearth server."""

import asyncio
import hashlib
import json

import firebase_admin
import hearth_firebase
import pytest
import requests
from driving import Device
from firebase_admin import exceptions, remote_config

SERVER = "firebase-server"


def put(app, server, template, namespace=SERVER):
    """Stores a template; returns its ETag."""
    answer = requests.put(
        f"{server.url}/v1/projects/{app.project_id}/namespaces/{namespace}/remoteConfig",
        headers={
            "Authorization": "Bearer " + app.credential.get_access_token().access_token,
            "If-Match": "*",
        },
        json=template,
        timeout=60,
    )
    assert answer.status_code == 200, answer.text
    return answer.headers["ETag"]


def load(app, default_config=None):
    return asyncio.run(remote_config.get_server_template(app, default_config))


def switch(*expressions, values=("out", "in")):
    """A template in which the parameter p0 is `in` where the first expression holds, p1 the second, ..."""
    return {
        "conditions": [{"name": f"c{i}", "expression": text} for i, text in enumerate(expressions)],
        "parameters": {
            f"p{i}": {
                "defaultValue": {"value": values[0]},
                "conditionalValues": {f"c{i}": {"value": values[1]}},
            }
            for i in range(len(expressions))
        },
    }


def test_values_types_and_defaults(app, server, outgoing):
    etag = put(
        app,
        server,
        {
            "parameters": {
                "greeting": {"defaultValue": {"value": "grüezi"}},
                "ratio": {"defaultValue": {"value": "0.25"}, "valueType": "NUMBER"},
                "own": {"defaultValue": {"useInAppDefault": True}},
            },
            "parameterGroups": {
                "limits": {
                    "parameters": {
                        "count": {"defaultValue": {"value": "42"}, "valueType": "NUMBER"},
                        "active": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"},
                    }
                }
            },
        },
    )
    template = load(app, {"own": 7, "greeting": "hello", "other": "mine"})
    shown = json.loads(template.to_json())
    assert shown["etag"] == etag and shown["version"]["versionNumber"] == "1"
    config = template.evaluate()
    assert config.get_string("greeting") == "grüezi"
    assert config.get_float("ratio") == 0.25
    assert config.get_int("count") == 42
    assert config.get_boolean("active") is True
    assert config.get_int("own") == 7
    sources = [config.get_value_source(key) for key in ["greeting", "own", "other", "nowhere"]]
    assert sources == ["remote", "default", "default", "static"]
    assert outgoing.targets == []


def test_percent_is_the_public_hash(app, server):
    put(
        app,
        server,
        switch(
            "percent <= 33.3",
            "percent('colours') > 50",
            "percent('colours') between 10 and 12.5",
            "percent <= 60 && percent('other') <= 60",
        ),
    )
    template = load(app)

    def place(identifier, seed=""):
        digest = hashlib.sha256((f"{seed}.{identifier}" if seed else identifier).encode()).digest()
        return int.from_bytes(digest, "big") % 100_000_000

    counts = [0, 0, 0, 0]
    for identifier in (f"user-{number}" for number in range(2000)):
        config = template.evaluate({"randomization_id": identifier})
        plain, colours = place(identifier), place(identifier, "colours")
        expected = [
            plain <= 33_300_000,
            colours > 50_000_000,
            10_000_000 < colours <= 12_500_000,
            plain <= 60_000_000 and place(identifier, "other") <= 60_000_000,
        ]
        assert [config.get_string(f"p{i}") == "in" for i in range(4)] == expected
        counts = [count + is_in for count, is_in in zip(counts, expected)]
    for count, share in zip(counts, [0.333, 0.5, 0.025, 0.36]):
        # 4.5 standard deviations of a binomial draw.
        assert abs(count - 2000 * share) <= 4.5 * (2000 * share * (1 - share)) ** 0.5
    assert template.evaluate().get_string("p0") == "out"


def test_devices_and_servers_agree(app, server):
    """The same percentages in the template for devices, which the server evaluates, and in the one for servers."""
    template = switch("percent <= 50", "percent('s') between 25 and 75", "app.customSignal['level'] >= 7")
    put(app, server, template)
    put(app, server, template, namespace="firebase")
    ours = load(app)
    seen = set()
    for level in range(20):
        device = Device(server)
        theirs = device.configuration(customSignals={"level": level})
        config = ours.evaluate({"randomization_id": device.id, "level": level})
        assert {key: config.get_string(key) for key in theirs} == theirs
        seen.update(theirs.items())
    assert len(seen) == 6


SIGNALS = [
    (".contains(['er', 'x'])", "Bern", "Basel"),
    (".notContains(['er', 'x'])", "Basel", "Bern"),
    (".exactlyMatches(['Bern', 'Biel'])", " Biel ", "bern"),
    (".matches(['^B.*n$'])", "Bern", "Berne"),
    (" < 7.5", 7, "7.5"),
    (" <= 7.5", "7.5", 8),
    (" == 7", "7.0", 8),
    (" != 7", 8, 7),
    (" > -1", 1, -1),
    (" >= 7", 7, 6.9),
]
VERSIONS = [
    ("<", "1.9.9", "1.10"),
    ("<=", "1.10.0", "1.10.1"),
    ("==", "1.10.0", "1.1"),
    ("!=", "1.1", "1.10"),
    (">", "1.10.1", "1.10"),
    (">=", "2", "1.9"),
]


def test_custom_signals(app, server):
    cases = [(f"app.customSignal['k']{rest}", inside, outside) for rest, inside, outside in SIGNALS]
    cases += [(f"version(app.customSignal['k']) {sign} '1.10'", *values) for sign, *values in VERSIONS]
    put(app, server, switch(*(expression for expression, _, _ in cases)))
    template = load(app)
    for index, (expression, inside, outside) in enumerate(cases):
        for value, expected in [(inside, "in"), (outside, "out")]:
            found = template.evaluate({"k": value}).get_string(f"p{index}")
            assert found == expected, f"{expression} of {value!r}"
    assert {template.evaluate().get_string(f"p{i}") for i in range(len(cases))} == {"out"}


def test_order_and_constants(app, server):
    template = switch("false", "true", "app.customSignal['vip'].exactlyMatches(['yes']) && true")
    conditions = {"c2": {"value": "vip"}, "c1": {"value": "all"}, "c0": {"value": "none"}}
    template["parameters"]["who"] = {"conditionalValues": conditions}
    put(app, server, template)
    # The order of the conditions decides, not that of the values.
    assert load(app).evaluate({"vip": "yes"}).get_string("who") == "all"
    template["conditions"].reverse()
    put(app, server, template)
    assert load(app).evaluate({"vip": "yes"}).get_string("who") == "vip"
    assert load(app).evaluate({"vip": "no"}).get_string("who") == "all"


def test_a_change_is_seen_by_the_next_load(app, server):
    # Before the first template there is an empty one.
    template = load(app, {"p0": "mine"})
    assert template.evaluate().get_string("p0") == "mine"
    first = put(app, server, switch("true", values=("a", "b")))
    assert template.evaluate().get_string("p0") == "mine"
    asyncio.run(template.load())
    assert template.evaluate().get_string("p0") == "b"
    second = put(app, server, switch("true", values=("a", "c")))
    assert template.evaluate().get_string("p0") == "b"
    asyncio.run(template.load())
    assert template.evaluate().get_string("p0") == "c"
    assert first != second == json.loads(template.to_json())["etag"]


def test_what_only_devices_tell_is_refused(app, server):
    for expression in ["device.os == 'ios'", "app.version.>(['1'])", "app.userProperty['a'] == 1"]:
        with pytest.raises(AssertionError, match="400|INVALID|VALIDATION"):
            put(app, server, switch(expression))


def test_a_refusal_has_the_servers_words(server, outgoing, restored, tmp_path):
    key = json.loads(server.admin_key.read_text())
    (tmp_path / "other.json").write_text(json.dumps({**key, "project_id": "no-such-project"}))
    app = hearth_firebase.initialize_app(tmp_path / "other.json", name="other")
    try:
        with pytest.raises(exceptions.NotFoundError, match="There is no project 'no-such-project'."):
            load(app)
    finally:
        firebase_admin.delete_app(app)
    assert outgoing.targets == []
