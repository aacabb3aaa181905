"""The part `configuration`: fetches for a configuration beside `:download`, by how much the server has to look at, and
fetches of 20 KB in gzip beside the same without it."""

import gzip
import http.client
import json
import socket
import subprocess

from comparison import fetches, hearth_server, templates
from comparison import rounds as turns
from comparison.rounds import Contestant, play
from comparison.wrk import write_requests
from harness.worker import WorkerError

CONDITIONS, EXPERIMENTS = (0, 10, 100, 1000), (0, 1, 5)
# The conditions of the template that the experiments run beside.
BESIDE = 10
INSTALLATIONS = 4000
KNOWN, UNKNOWN = "304", "200"
PLAIN, GZIP = "plain", "gzip"


def measure(stage, rounds, seconds, connections=64):
    """Answers per second of each server's fetches, and their ratios to `:download` in the same round, where a device has
    all already and where it has nothing."""
    settings = [*((count, 0) for count in CONDITIONS), *((BESIDE, count) for count in EXPERIMENTS if count)]
    contestants = [
        Contestant(KNOWN, stage.hearth, stage.hearth.base, stage.look_ups(stage.hearth, stage.hash)),
        Contestant(UNKNOWN, stage.hearth, stage.hearth.base, stage.look_ups(stage.hearth))]
    sizes = {}
    for setting in settings:
        server = stage.start(hearth_server.copy(stage.data, "configured-{}-{}".format(*setting)))
        publish(stage, server, *setting)
        known, unknown, sizes[setting] = requests(stage, server)
        contestants += [
            Contestant((setting, KNOWN), server, server.base, known),
            Contestant((setting, UNKNOWN), server, server.base, unknown)]
    server = stage.start(hearth_server.copy(stage.data, "configured-long"))
    put(stage, server, templates.long_template())
    lengths = {}
    for coding in (PLAIN, GZIP):
        file, lengths[coding] = long_requests(stage, server, coding)
        contestants.append(Contestant(coding, server, server.base, file))
    seen = play(contestants, rounds, connections, seconds)
    return {
        "connections": connections, "download": {status: row(seen, status, status) for status in (KNOWN, UNKNOWN)},
        "conditions": table(seen, sizes, {count: (count, 0) for count in CONDITIONS}),
        "experiments": table(seen, sizes, {count: (BESIDE, count) for count in EXPERIMENTS}),
        "compression": {coding: {"bytes": lengths[coding], **row(seen, coding, PLAIN)} for coding in (PLAIN, GZIP)}}


def table(seen, sizes, settings):
    return {
        str(count): {"bytes": sizes[setting], **{status: row(seen, (setting, status), status) for status in (KNOWN, UNKNOWN)}}
        for count, setting in settings.items()}


def row(seen, contestant, peer):
    return turns.rows(seen, [contestant], peer, ("answers", "p50", "p99", "processor"))[contestant]


def publish(stage, server, conditions, experiments):
    """Makes the server's template and starts the experiments."""
    put(stage, server, templates.template(conditions))
    for number in range(experiments):
        experiment = templates.experiment(number)
        file = stage.folder / "experiment.json"
        file.write_text(json.dumps(experiment))
        hearth(stage, server, "experiments", "create", file)
        hearth(stage, server, "experiments", "start", experiment["name"])


def put(stage, server, template):
    file = stage.folder / "template.json"
    file.write_text(json.dumps(template))
    hearth(stage, server, "remoteconfig", "put", file)


def hearth(stage, server, *words):
    command = [stage.program, *words, "--url", server.base, "--credentials", stage.keys.admin]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise WorkerError(f"hearth {' '.join(map(str, words[:2]))} failed: {result.stderr.strip()}")


def requests(stage, server):
    """Files with the fetches of installations that have what they would get, and of such that have nothing; and how long
    the answers to these are on average."""
    tokens = list(enumerate(stage.tokens[:INSTALLATIONS]))
    unknown = [fetches.fetch(server, stage.keys, token, number) for number, token in tokens]
    answers = list(ask(server, unknown, "UPDATE"))
    known = [fetches.fetch(server, stage.keys, token, number, answers[number][0]) for number, token in tokens]
    for _ in ask(server, known[:30], "NO_CHANGE"):
        pass
    files = [stage.folder / f"fetches-{server.data.name}-{status}" for status in (KNOWN, UNKNOWN)]
    for file, texts in zip(files, (known, unknown)):
        write_requests(file, texts)
    return *files, sum(length for _, length in answers) / len(answers)


def long_requests(stage, server, coding):
    """A file with the fetches of installations that have nothing, and how long their answers are on average."""
    more = {"Accept-Encoding": "gzip"} if coding == GZIP else {}
    texts = [
        fetches.fetch(server, stage.keys, token, number, more=more)
        for number, token in enumerate(stage.tokens[:INSTALLATIONS])]
    lengths = [length for _, length in ask(server, texts[:30], "UPDATE")]
    file = stage.folder / f"fetches-long-{coding}"
    write_requests(file, texts)
    return file, sum(lengths) / len(lengths)


def ask(server, texts, state):
    """ETag and length of the answer to each request, which must say `state`."""
    with socket.create_connection(server.host.rsplit(":", 1)) as connection:
        for text in texts:
            connection.sendall(text)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            body = answer.read()
            plain = gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body
            if answer.status != 200 or json.loads(plain)["state"] != state:
                raise WorkerError(f"a fetch was answered with status {answer.status}, not {state}: {body[:200].decode()}")
            yield answer.headers["ETag"], len(body)
