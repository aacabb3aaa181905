"""The rows of the benchmark Server, from what it prints as JSON."""

from performance.rows import Row, scaled, single

FIGURES = {
    "answers": ("answers/s", 1, "", "Answers a second under full load"),
    "bytes": ("bytes/s", 1, "", "Bytes a second under full load"),
    "p99": ("s", 1e-6, ", p99", "The time within which 99 of 100 answers came"),
    "processor": ("s", 1, ", processor", "Processor time of the server for each answer"),
}
STATES = {"304": "where the device has all already", "200": "where the device has nothing yet"}


def rows(results):
    found = [row for part in ("answers", "bytes") for result in results.get(part, []) for row in load(result)]
    for part, maker in (("crowd", crowd), ("size", size), ("configuration", configuration)):
        if part in results:
            found += maker(results[part])
    return found


def load(result):
    peer = result["rows"][result["peer"]]
    for name, row in result["rows"].items():
        if name == result["peer"] or "nothing" in row or "nothing" in peer:
            continue
        for figure in (result["figure"], "p99", "processor"):
            unit, factor, ending, meaning = FIGURES[figure]
            yield Row(
                f"{result['title']}: {name}{ending}",
                f"{meaning}, with {result['connections']} connections, beside {result['peer']}.", unit,
                scaled(row[figure], factor), scaled(peer[figure], factor), row["ratios"].get(figure))


def crowd(result):
    alone = result["rows"]["alone"]
    for name, row in result["rows"].items():
        if name == "alone" or "nothing" in row or "nothing" in alone:
            continue
        yield Row(
            f":download {name}, p99",
            "The time within which 99 of 100 answers came, beside the same without those connections.", "s",
            scaled(row["p99"], 1e-6), scaled(alone["p99"], 1e-6), row["ratios"].get("p99"))


def size(result):
    empty, full = result["rows"].values()
    if "nothing" in empty or "nothing" in full:
        return
    name = next(reversed(result["rows"]))
    for key, text in (("p50", "half of the answers"), ("p99", "99 of 100 answers")):
        yield Row(
            f":download, {name}: {key}", f"The time within which {text} came, beside a server with hardly anything stored.",
            "s", scaled(full[key], 1e-6), scaled(empty[key], 1e-6), full["ratios"].get(key))
    yield Row(
        f":download, {name}: memory", "Resident memory after that load, beside a server with hardly anything stored.",
        "bytes", single(full["resident_bytes"]), single(empty["resident_bytes"]), single(full["memory_ratio"]))


def configuration(result):
    compressed, plain = result["compression"]["gzip"], result["compression"]["plain"]
    if "nothing" not in compressed and "nothing" not in plain:
        yield Row(
            "template of 20 KB, gzip", "Answers a second to fetches in gzip, beside the same without it.", "answers/s",
            compressed["answers"], plain["answers"], compressed["ratios"].get("answers"))
        yield Row(
            "template of 20 KB, gzip: bytes", "Bytes of a fetch's answer in gzip, beside the same without it.", "bytes",
            single(compressed["bytes"]), single(plain["bytes"]), single(compressed["bytes"] / plain["bytes"]))
    for kind in ("conditions", "experiments"):
        for count, settings in result[kind].items():
            for state, where in STATES.items():
                row, peer = settings[state], result["download"][state]
                if "nothing" in row or "nothing" in peer:
                    continue
                yield Row(
                    f"template, {count} {kind}, {state}",
                    f"Answers a second to fetches of a Remote Config template, {where}, beside `:download`.", "answers/s",
                    row["answers"], peer["answers"], row["ratios"].get("answers"))
