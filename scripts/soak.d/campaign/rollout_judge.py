"""Judges simulated rollouts: what the guards promise, against how often it was so."""

import collections
import math
import statistics

GUARDS = ["returned-without", "load-failures", "crashes", "failed-runs", "run-time"]
# Errors at which the evidence is tested: as often as that, it may reach one over the error.
ERRORS = [0.2, 0.1, 0.05, 0.01]
HARM_ERRORS = ERRORS + [0.005]
# The chance that a sound version is stopped, and that a version of the least harm that matters is called sound.
STOPPED, MISSED = 0.01, 0.005
# The chance that a judgement says wrongly that a promise is broken.
WRONG = 0.01
# By name and devices: devices that a bad version reached in the median and in 95 of 100 rollouts, measured with the
# guards of decision 0039.
FORMER = {
    ("fails on 2 %", 1000): (250, 602), ("fails on 2 %", 100_000): (224, 599), ("fails on 2 %", 1_000_000): (827, 861),
    ("does not load on 2 %", 1000): (247, 588), ("does not load on 2 %", 100_000): (247, 567), ("does not load on 2 %", 1_000_000): (814, 903),
    ("crashes on 0.5 %", 1000): (357, None), ("crashes on 0.5 %", 100_000): (542, 1753), ("crashes on 0.5 %", 1_000_000): (842, 2525),
    ("30 % slower", 1000): (270, 494), ("30 % slower", 100_000): (262, 507), ("30 % slower", 1_000_000): (826, 885),
    ("returned without it by 1 %", 1000): (362, None), ("returned without it by 1 %", 100_000): (1006, 1455), ("returned without it by 1 %", 1_000_000): (9966, None),
}


def tail(count, total, rate):
    """The chance of `count` or more successes in `total` trials."""
    if count <= 0:
        return 1.0
    logs = [math.lgamma(total + 1) - math.lgamma(number + 1) - math.lgamma(total - number + 1)
            + number * math.log(rate) + (total - number) * math.log1p(-rate) for number in range(count, total + 1)]
    most = max(logs)
    return min(1.0, math.exp(most) * sum(math.exp(each - most) for each in logs))


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


class Curve:
    """How often evidence reached its bounds, by cell and by guard."""

    def __init__(self, what, errors):
        self.what, self.errors = what, errors
        self.cells, self.guards = {}, collections.Counter()

    def add(self, name, guard, evidence):
        for error in self.errors:
            count = sum(1 for each in evidence if each >= -math.log(error))
            self.cells[name, guard, error] = (count, len(evidence))
            self.guards[guard, error, "count"] += count
            self.guards[guard, error, "total"] += len(evidence)

    def violations(self):
        found = []
        print(f"\n{self.what}: share of the rollouts with evidence of 1/a or more")
        for guard in dict.fromkeys(guard for guard, _, _ in self.guards):
            texts = []
            for error in self.errors:
                count, total = self.guards[guard, error, "count"], self.guards[guard, error, "total"]
                texts.append(f"a = {error}: {count / total:.4f}")
                if tail(count, total, error) < WRONG:
                    found.append(f"{self.what}, {guard}: {count} of {total} rollouts of all scenarios at a = {error}")
            print(f"  {guard:17} of {total:6}   {'   '.join(texts)}")
        # Holm: the smallest chance against the number of all cells, the next against one fewer, and so on.
        chances = sorted((tail(count, total, cell[2]), cell, count, total) for cell, (count, total) in self.cells.items())
        for rank, (chance, (name, guard, error), count, total) in enumerate(chances):
            if chance >= WRONG / (len(chances) - rank):
                break
            found.append(f"{self.what}, {name}, {guard}: {count} of {total} at a = {error}, a chance of {chance:.1g}")
        return found


def judge(names, outcomes):
    """Prints all tables. Returns what is broken."""
    cells = collections.defaultdict(list)
    for outcome in outcomes:
        cells[outcome["scenario"], outcome["devices"]].append(outcome)
    bad = names["harmful"] + names["gross"]
    sound = {cell: rows for cell, rows in cells.items() if cell[0] not in bad}
    harmful = {cell: rows for cell, rows in cells.items() if cell[0] in bad}
    return judge_sound(sound) + judge_harmful(names, harmful)


def judge_sound(cells):
    if not cells:
        return []
    either, both = Curve("evidence of a difference", ERRORS), Curve("evidence of harm", ERRORS)
    print(f"{'sound version':58} {'devices':>9} {'rollouts':>8} {'stopped':>8} {'at 100 %':>8} {'waiting':>7} {'days':>6} {'95 %':>6}  stopped by")
    stopped = total = 0
    for (name, devices), rows in sorted(cells.items(), key=lambda cell: (cell[0][1], cell[0][0])):
        by = collections.Counter(row["stoppedBy"] for row in rows if row.get("stoppedBy"))
        stopped, total = stopped + sum(by.values()), total + len(rows)
        days = [row["days"] for row in rows if "days" in row]
        show(name, devices, rows, sum(by.values()), days, by)
        for place, guard in enumerate(GUARDS):
            both.add(f"{name}, {devices} devices", guard, [row["excess"][place] for row in rows])
            either.add(f"{name}, {devices} devices", guard, [row["difference"][place] for row in rows])
    print(f"all sound versions: {stopped} of {total} stopped, {stopped / total:.4f}")
    found = either.violations() + both.violations()
    # A few rollouts may exceed the share by chance; thousands may not.
    if stopped > STOPPED * total and (total >= 2000 or tail(stopped, total, STOPPED) < WRONG):
        found.append(f"{stopped} of {total} rollouts of sound versions were stopped")
    return found


def show(name, devices, rows, stopped, days, by):
    median = f"{statistics.median(days):.1f}" if days else ""
    late = f"{quantile(days, 0.95):.1f}" if days else ""
    print(f"{name[:58]:58} {devices:9,} {len(rows):8} {stopped:8} {len(days):8} {sum(1 for row in rows if 'days' not in row):7} {median:>6} {late:>6}  {', '.join(f'{each} {count}' for each, count in by.items())}")


def judge_harmful(names, cells):
    if not cells:
        return []
    guards = dict(zip(names["harmful"] + names["gross"], names["harmGuards"]))
    curve = Curve("evidence against harm of exactly the least size", HARM_ERRORS)
    print(f"\n{'harmful version':58} {'devices':>9} {'rollouts':>8} {'stopped':>8} {'by its guard':>12} {'satisfied':>9} {'at 100 %':>8} {'so satisfied':>12} {'waiting':>7} {'reached':>8} {'95 %':>7} {'formerly':>14} {'days':>6}")
    missed = undecided = total = 0
    found = []
    for (name, devices), rows in sorted(cells.items(), key=lambda cell: (cell[0][1], cell[0][0])):
        guard = guards[name]
        place = GUARDS.index(guard)
        stops = [row for row in rows if row.get("stoppedBy")]
        arrived = [row for row in rows if "days" in row and not row.get("stoppedBy")]
        wrong = sum(1 for row in arrived if row["arrivedSatisfied"])
        reached = [row["reached"] for row in stops]
        former = FORMER.get((name, devices))
        print(f"{name[:58]:58} {devices:9,} {len(rows):8} {len(stops):8} {sum(1 for row in stops if row['stoppedBy'] == guard):12} "
              f"{sum(1 for row in rows if row['satisfied'][place]):9} {len(arrived):8} {wrong:12} {len(rows) - len(stops) - len(arrived):7} "
              f"{f'{statistics.median(reached):,.0f}' if reached else '':>8} {quantile(reached, 0.95) or '':>7} "
              f"{f'{former[0]} ({former[1]})' if former else '':>14} {statistics.median(row['stoppedDays'] for row in stops) if stops else 0:6.1f}")
        if name in names["gross"]:
            if len(stops) < len(rows) and tail(len(rows) - len(stops), len(rows), MISSED) < WRONG:
                found.append(f"{name}, {devices} devices: only {len(stops)} of {len(rows)} stopped")
            continue
        if name in names["late"]:
            continue
        missed, undecided, total = missed + wrong, undecided + len(arrived) - wrong, total + len(rows)
        if tail(wrong, len(rows), MISSED) < WRONG / len(cells):
            found.append(f"{name}, {devices} devices: {wrong} of {len(rows)} reached 100 % with {guard} satisfied")
        curve.add(f"{name}, {devices} devices", guard, [row["againstHarm"][place] for row in rows])
    if total:
        print(f"all harm of the least size that shows in time: {missed} of {total} at 100 % because its guard was satisfied, {missed / total:.4f}; {undecided} undecided")
        found += curve.violations()
        if missed > MISSED * total and (total >= 2000 or tail(missed, total, MISSED) < WRONG):
            found.append(f"{missed} of {total} rollouts of harmful versions reached 100 %")
    return found
