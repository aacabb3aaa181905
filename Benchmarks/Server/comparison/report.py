"""The results as text."""

from harness.machine import header as machine_text


def header(machine, settings):
    return (
        f"{machine_text(machine)}\n"
        f"{settings['rounds']} rounds, turns of {settings['seconds']} s, {settings['installations']:,} installations, "
        "wrk beside the servers on the same processors.\nMedians; in brackets, where the middle half of the rounds lies. "
        "Ratios are within a round."
    )


def silent(results, *path):
    """The rows that have no answer, and why."""
    if isinstance(results, list):
        return [text for item in results for text in silent(item, *path)]
    if not isinstance(results, dict):
        return []
    if "nothing" in results:
        return [f"{', '.join(path)}: {results['nothing']}"]
    path += (results["title"],) if "title" in results else ()
    return [text for key, value in results.items() for text in silent(value, *path, *([] if key == "rows" else [key]))]


def load(result):
    unit = "answers/s" if result["figure"] == "answers" else "MB/s"
    scale = 1 if result["figure"] == "answers" else 1e6
    lines = [
        f"\n{result['title']}, {result['connections']} connections",
        f"  {'':<26}{unit:>12}   {'ratio to ' + result['peer']:<34}{'p50':>9}{'p99':>11}{'CPU/answer':>13}{'memory':>11}"]
    for name, row in result["rows"].items():
        if "nothing" in row:
            lines.append(f"  {name:<26}{row['nothing']}")
            continue
        ratio = "" if name == result["peer"] else spread(row, result["figure"])
        lines.append(
            f"  {name:<26}{row[result['figure']]['median'] / scale:>12,.0f}   {ratio:<34}"
            f"{latency(row['p50'])}{latency(row['p99'], 11)}{row['processor']['median'] * 1e6:>10,.1f} us"
            f"{row['resident_bytes'] / 2**20:>7.1f} MiB")
    return "\n".join(lines)


def crowd(result):
    lines = [f"\n:download beside others, {result['connections']} connections{'p50':>17}{'p99':>10}   p99 / alone"]
    for name, row in result["rows"].items():
        if "nothing" in row:
            lines.append(f"  {name:<40}{row['nothing']}")
            continue
        ratio = "" if name == "alone" else spread(row, "p99")
        lines.append(f"  {name:<40}{latency(row['p50'], 17)}{latency(row['p99'], 10)}   {ratio}")
    return "\n".join(lines)


def size(result):
    lines = [f"\n:download by what is stored, {result['connections']} connections"]
    for name, row in result["rows"].items():
        if "nothing" in row:
            lines.append(f"  {name:<40}{row['nothing']}")
            continue
        lines.append(
            f"  {name:<40}p50 {latency(row['p50'])} ({spread(row, 'p50')})   p99 {latency(row['p99'])} "
            f"({spread(row, 'p99')})   {row['resident_bytes'] / 2**20:.1f} MiB ({row['memory_ratio']:.2f})")
    return "\n".join(lines)


def configuration(result):
    lines = [f"\nfetches for a configuration, {result['connections']} connections; where a device has it already, and where not"]
    for status, row in result["download"].items():
        lines.append(f"  {':download, ' + status:<32}{figures(row)}")
    for kind in ("conditions", "experiments"):
        lines.append(
            f"  {kind:<12}{'':<20}{'answers/s':>10}{'p50':>10}{'p99':>11}{'CPU/answer':>13}   ratio to :download")
        for count, row in result[kind].items():
            for status, name in (("304", "NO_CHANGE"), ("200", f"UPDATE, {row['bytes']:,.0f} bytes")):
                ratio = spread(row[status], "answers")
                lines.append(f"  {count:<8}{name:<24}{figures(row[status])}   {ratio} ({status})")
    lines.append(f"  {'the same values for all':<32}{'answers/s':>10}{'p50':>10}{'p99':>11}{'CPU/answer':>13}   ratio to plain")
    for coding, row in result["compression"].items():
        ratio = "" if coding == "plain" else spread(row, "answers")
        lines.append(f"  {coding:<8}{row['bytes']:>10,.0f} bytes{'':<8}{figures(row)}   {ratio}")
    return "\n".join(lines)


def figures(row):
    if "nothing" in row:
        return row["nothing"]
    return (
        f"{row['answers']['median']:>10,.0f}{latency(row['p50'], 10)}{latency(row['p99'], 11)}"
        f"{row['processor']['median'] * 1e6:>10,.1f} us")


def latency(values, width=9):
    return f"{values['median'] / 1000:>{width - 3}.2f} ms"


def spread(row, key):
    """The ratio to the peer, where both were seen in a round."""
    ratio = row.get("ratios", {}).get(key)
    return f"{ratio['median']:.2f} [{ratio['low']:.2f} ... {ratio['high']:.2f}]" if ratio else "-"
