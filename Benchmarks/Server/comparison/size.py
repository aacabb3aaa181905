"""The part `size`: a database with very many installations and models against one with hardly any."""

import sqlite3

from comparison import hearth_server, wrk
from comparison.rounds import Contestant, play, rows

INSTALLATIONS, MODELS = 1_000_000, 1_000
EMPTY, FULL = "hardly anything stored", f"{INSTALLATIONS:,} installations, {MODELS:,} models"


def fill(data, project, app_id):
    """Writes into the database of a server that is not running."""
    database = sqlite3.connect(data / "hearth.sqlite")
    with database:
        database.executemany(
            "INSERT INTO installation (project, fid, app_id, created_us) VALUES (?, ?, ?, ?)",
            ((project, f"c{number:021d}", app_id, 1_800_000_000_000_000 + number) for number in range(INSTALLATIONS)))
        sample, last = database.execute(
            "SELECT (SELECT id FROM model WHERE display_name = ?), max(id) FROM model", [hearth_server.SMALL]).fetchone()
        for number in range(MODELS):
            identifier = last + 1 + number
            clone(database, "model", "id", sample, {"id": identifier, "display_name": model_name(number)})
            for table in ("version", "release"):
                clone(database, table, "model", sample, {"model": identifier})
        database.execute("UPDATE counter SET value = ? WHERE name = 'model'", [last + MODELS])
    database.close()


def clone(database, table, key, value, changes):
    """Copies rows, whatever columns there are."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    chosen = ", ".join(f":{name}" if name in changes else name for name in columns)
    database.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE {key} = :source",
        {**changes, "source": value})


def model_name(number):
    return f"model-{number}"


def measure(stage, rounds, seconds, connections=8):
    """Latency of `:download` and memory of both servers, and their ratios in the same round."""
    data = hearth_server.copy(stage.data, "full")
    fill(data, stage.keys.project, stage.keys.app_id)
    full = stage.start(data)
    questions = stage.folder / "look-ups-of-many-models"
    wrk.write_requests(questions, (
        wrk.get(target, full.host, fields) for target, fields in (
            hearth_server.look_up(stage.keys, token, model=model_name(number % MODELS))
            for number, token in enumerate(stage.tokens))))
    contestants = [
        Contestant(EMPTY, stage.hearth, stage.hearth.base, stage.look_ups(stage.hearth)),
        Contestant(FULL, full, full.base, questions)]
    seen = play(contestants, rounds, connections, seconds)
    result = rows(seen, [EMPTY, FULL], EMPTY, ("answers", "p50", "p99"))
    memory = {contestant.name: contestant.server.process.resident_bytes() for contestant in contestants}
    for name, value in memory.items():
        result[name] |= {"resident_bytes": value, "memory_ratio": value / memory[EMPTY]}
    return {"rows": result, "connections": connections}
