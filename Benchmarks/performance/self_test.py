"""Tests what measures nothing: the page, the comparison of two runs, the agreement of engines, turns without an answer,
the memory of a program."""

import contextlib
import copy
import io
import json
import subprocess
import unittest
from unittest import mock

from comparison import report, rounds, wrk
from harness.agreement import box_disagreement, disagreement
from harness.usage import usage
from performance import comparing, document, page, samples
from performance.rows import UNITS


def measured(*names, change=lambda results: None):
    """A document with the samples of these benchmarks."""
    made = document.empty()
    for name in names or samples.ALL:
        results = copy.deepcopy(samples.ALL[name])
        change(results)
        made = document.with_part(made, name, document.part(results, "2026-01-02", "abc123", 61))
    return made


def named(made, name):
    return next(row for part in made["benchmarks"].values() for row in document.rows(part) if row.name == name)


class Rows(unittest.TestCase):
    def test_each_row_has_a_name_of_its_own_a_sentence_and_a_known_unit(self):
        for name, part in measured()["benchmarks"].items():
            with self.subTest(name):
                self.assertEqual(len({row["name"] for row in part["rows"]}), len(part["rows"]))
                for row in document.rows(part):
                    self.assertTrue(row.meaning.endswith(".") and row.meaning.count(".") == 1, row.meaning)
                    self.assertIn(row.unit, UNITS)

    def test_a_name_that_comes_twice_is_refused(self):
        def twice(results):
            results["models"] *= 2
        with self.assertRaisesRegex(document.DocumentError, "two rows of the name"):
            measured("Interpreter", change=twice)

    def test_times_are_in_seconds_and_ratios_are_taken_over(self):
        row = named(measured(), "digits, copy, run, copy: LiteRT in Python")
        self.assertEqual((row.ours["median"], row.peer["median"], row.ratio["median"]), (0.002, 0.004, 0.5))
        self.assertAlmostEqual(named(measured(), ":download, TLS: Hearth, 304, p99").ours["median"], 0.004)

    def test_a_pair_of_the_crash_guard_is_a_row(self):
        row = named(measured(), "use that succeeds")
        self.assertAlmostEqual(row.ours["median"] * 1e9, 150)
        self.assertEqual(row.ratio["median"], 10)

    def test_each_engine_has_a_row(self):
        self.assertEqual(named(measured(), "digits, copy, run, copy: OpenVINO").ratio["median"], 2)

    def test_a_peer_has_a_row_for_the_time_outside_the_engine_where_that_was_measured_and_the_floor_has_none(self):
        cell = "flowers, 500x371, 2 threads: "
        row = named(measured(), f"{cell}LiteRT + Pillow, outside the engine")
        self.assertEqual((row.ours["median"], row.peer["median"], row.ratio["median"]), (0.001, 0.004, 0.25))
        names = [row["name"] for row in measured("Vision")["benchmarks"]["Vision"]["rows"]]
        self.assertIn(f"{cell}MediaPipe, outside the engine", names)
        for absent in ("LiteRT + OpenCV", "floor"):
            self.assertIn(cell + absent, names)
            self.assertNotIn(f"{cell}{absent}, outside the engine", names)

    def test_copies_with_the_usual_answer_are_counted_and_not_those_without(self):
        row = named(measured(), "flowers: same answer at all sizes")
        self.assertEqual((row.ours["median"], row.peer["median"]), (11, 9))

    def test_rows_without_an_answer_are_left_out(self):
        names = [row["name"] for row in measured("Server")["benchmarks"]["Server"]["rows"]]
        self.assertIn("template, 1 experiments, 200", names)
        for absent in (":download, TLS: Hearth, 200", "bytes, TLS: Hearth", "template, 1 experiments, 304"):
            self.assertNotIn(absent, names)


class Page(unittest.TestCase):
    def test_a_row_shows_ours_peer_ratio_the_middle_half_and_a_sentence(self):
        self.assertIn(
            "| flowers, 500x371, 2 threads: LiteRT + Pillow | 4.00 ms | 8.00 ms | 0.500 | 0.450 ... 0.550 | From a photo's "
            "file to the result, beside LiteRT in Python with Pillow, which decodes the whole photo. |",
            page.page(measured()).splitlines())

    def test_a_row_without_a_ratio_shows_where_ours_lay_and_what_was_measured_once_no_spread(self):
        lines = page.page(measured()).splitlines()
        self.assertTrue(any(line.startswith("| flowers: answers | 1 | 2 |  |  | Photos") for line in lines))
        self.assertTrue(any(line.startswith("| digits, copy, run, copy: allocations | 100 | 0 |  |  |") for line in lines))

    def test_it_says_on_what_when_and_at_which_commit(self):
        self.assertIn(
            "Measured on 2026-01-02 at commit abc123, on Fast Processor with 2 processors and 8 GiB of memory, Linux 6.1, "
            "Swift version 6.2; load at the start 0.2.", page.page(measured("Vision")))

    def test_it_says_what_was_left_out(self):
        self.assertIn(
            "- ONNX Runtime, Python with Fixtures/add.tflite: it cannot be converted", page.page(measured()).splitlines())

    def test_one_benchmark_anew_leaves_the_others_as_they_were(self):
        def faster(results):
            results["pictures"][0]["times"]["hearth-file"]["seconds"] = samples.around(0.002)
        old = measured()
        new = document.with_part(old, "Vision", measured("Vision", change=faster)["benchmarks"]["Vision"])
        self.assertEqual(list(new["benchmarks"]), ["Interpreter", "CrashGuard", "Vision", "Server"])
        before, after = page.page(old).splitlines(), page.page(new).splitlines()
        changed = [line for line, other in zip(after, before, strict=True) if line != other]
        self.assertEqual([line[:16] for line in changed], ["| flowers, 500x3"] * 4)

    def test_measurements_have_three_digits_in_the_unit_that_suits(self):
        for value, unit, text in (
                (0.0000015, "s", "1.50 us"), (0.0123, "s", "12.3 ms"), (0.999, "s", "999 ms"), (12.34, "s", "12.3 s"),
                (0, "s", "0.00 us"), (3 * 2**20, "bytes", "3.0 MiB"), (2e9, "bytes/s", "2,000 MB/s"),
                (12345.6, "answers/s", "12,346 answers/s"), (100, "calls", "100")):
            self.assertEqual(page.measurement(value, unit), text)


class Document(unittest.TestCase):
    def test_what_is_written_is_read_again(self):
        made = measured()
        self.assertEqual(document.parse(document.text(made), "it"), made)

    def test_a_row_stands_on_a_line_of_its_own(self):
        lines = document.text(measured()).splitlines()
        self.assertEqual(sum('"ours"' in line for line in lines), sum(line.count('"ours"') for line in lines))

    def test_another_file_is_refused_with_its_name(self):
        for text in ("", "[]", "{}", '{"format": 1}', '{"format": 1, "benchmarks": {"A": {"rows": [{"x": 1}]}}}',
                     '{"format": 2, "benchmarks": {}}'):
            with self.assertRaisesRegex(document.DocumentError, "other.json"):
                document.parse(text, "other.json")


class Comparing(unittest.TestCase):
    def compared(self, change):
        return comparing.compare(measured(), measured(change=change))

    def with_ratio(self, ratio):
        def change(results):
            for picture in results.get("pictures", []):
                picture["times"]["pillow-file"]["hearth_ratio"] = samples.around(ratio)
        return self.compared(change)

    def test_the_same_run_moved_nowhere(self):
        lines, is_worse = self.compared(lambda results: None)
        self.assertFalse(is_worse)
        self.assertTrue(all(": 0 of " in line for line in lines), lines)

    def test_a_median_at_the_edge_of_the_middle_half_is_inside_and_beyond_it_is_outside(self):
        self.assertFalse(self.with_ratio(0.55)[1])
        lines, is_worse = self.with_ratio(0.551)
        self.assertTrue(is_worse)
        self.assertIn("  worse   flowers, 500x371, 2 threads: LiteRT + Pillow: 0.551, before 0.500 [0.450 ... 0.550]", lines)

    def test_of_times_less_is_better_and_of_rates_more(self):
        lines, is_worse = self.with_ratio(0.4)
        self.assertFalse(is_worse)
        self.assertTrue(any(line.startswith("  better  flowers") for line in lines))

        def fewer(results):
            for found in results.get("bulk", []):
                found["rates"]["floor"]["hearth_ratio"] = samples.around(0.7)
        self.assertTrue(self.compared(fewer)[1])

    def test_without_a_ratio_ours_is_compared(self):
        def worse(results):
            for found in results.get("accuracy", [])[:1]:
                found["photos"][0]["usual_right"] = False
        lines, is_worse = self.compared(worse)
        self.assertTrue(is_worse)
        self.assertIn("  worse   flowers: answers: 0, before 1 [1 ... 1]", lines)

    def test_new_and_gone_rows_and_benchmarks_are_named(self):
        def without_start(results):
            results.pop("start", None)
        lines, _ = comparing.compare(measured("Vision", "Server"), measured("Vision", "Interpreter", change=without_start))
        self.assertIn("  gone    flowers: memory", lines)
        self.assertIn("Interpreter: the earlier run has nothing of it", lines)
        self.assertIn("Server: the later run has nothing of it", lines)


class Agreement(unittest.TestCase):
    def test_bytes_may_be_two_steps_apart(self):
        self.assertIsNone(disagreement("0a14", "0c12", "uint8"))
        self.assertIn("3", disagreement("0a14", "0a17", "uint8"))

    def test_floats_may_be_a_thousandth_of_the_largest_apart(self):
        one, near, far, nothing = "0000803f", "4260803f", "cdcc8c3f", "0000c07f"
        self.assertIsNone(disagreement(one + one, one + "0200803f", "float32"))
        self.assertIsNotNone(disagreement(one, near, "float32"))
        self.assertIsNotNone(disagreement(one, far, "float32"))
        self.assertIsNotNone(disagreement(one, nothing, "float32"))

    def test_another_number_of_values_is_another_answer(self):
        self.assertIn("1 bytes, not 2", disagreement("0a14", "0a", "uint8"))

    def test_other_types_must_be_the_same(self):
        self.assertIsNone(disagreement("0a", "0a", "int64"))
        self.assertIsNotNone(disagreement("0a", "0b", "int64"))


class Boxes(unittest.TestCase):
    def box(self, index=3, score=0.9, left=100):
        return {"index": index, "text": str(index), "score": score, "box": [left, 100, left + 100, 200]}

    def test_the_same_boxes_in_any_order_and_a_little_off_are_the_same(self):
        moved = [self.box(4, 0.8, 410), self.box(3, 0.8, 95)]
        self.assertIsNone(box_disagreement([self.box(3), self.box(4, left=400)], moved))

    def test_a_class_is_known_by_its_text_or_its_index(self):
        expected = [self.box(3)]
        self.assertIsNone(box_disagreement(expected, [{**self.box(3), "index": None}]))
        self.assertIsNone(box_disagreement(expected, [{**self.box(3), "text": None}]))
        self.assertIsNotNone(box_disagreement(expected, [{**self.box(4), "index": 3}]))

    def test_another_number_class_place_or_score_is_another_answer(self):
        expected = [self.box(), self.box(left=400)]
        for found, reason in (
                ([self.box()], "finds 1 boxes, not 2"), ([self.box(), self.box()], "no 3 at 400, 100, 500, 200"),
                ([self.box(), self.box(4, left=400)], "no 3 at 400"), ([self.box(score=0.7), self.box(left=400)], "0.70, not 0.90")):
            self.assertIn(reason, box_disagreement(expected, found))


class Turns(unittest.TestCase):
    """A busy machine: wrk sees no answer in short turns."""

    def turn(self, first_seconds_with_answer, seconds=1):
        asked = []

        def wrk_run(command, **_):
            length = int(command[command.index("-d") + 1].removesuffix("s"))
            asked.append(length)
            answers = 3 if length >= first_seconds_with_answer else 0
            seen = {"answers": answers, "bytes": 10, "microseconds": length * 10**6, "p50": 1, "p99": 2, "refused": 0, "broken": 0}
            return mock.Mock(returncode=0, stdout=json.dumps(seen), stderr="")

        server = mock.Mock()
        server.process.processor_seconds.return_value = 0.0
        contestant = rounds.Contestant("nginx", server, "https://127.0.0.1:1", "requests")
        said = io.StringIO()
        with mock.patch.object(wrk.subprocess, "run", wrk_run), contextlib.redirect_stderr(said):
            turns = [contestant.turn(16, seconds) for _ in range(2)]
        return turns, asked, said.getvalue()

    def test_a_turn_without_an_answer_is_made_longer_and_later_ones_begin_so(self):
        turns, asked, said = self.turn(4)
        self.assertEqual(asked, [1, 2, 4, 4])
        self.assertEqual([turn["answers"] for turn in turns], [0.75, 0.75])
        self.assertIn("nginx: no answer within 2 s, trying 4 s", said)

    def test_the_longest_turn_still_counts_and_after_it_the_turn_is_given_up_with_advice(self):
        longest = rounds.LONGEST_TURN_SECONDS
        self.assertEqual(self.turn(longest)[1], [1, 2, 4, 8, 16, 32, 32])
        turns, asked, said = self.turn(longest + 1)
        self.assertEqual((turns, asked), ([None, None], [1, 2, 4, 8, 16, 32, 32]))
        self.assertIn("run it again", said)

    def test_rounds_in_which_one_of_both_has_no_answer_give_no_ratio(self):
        seen = [{"a": {"x": 4}, "b": {"x": 2}}, {"a": None, "b": {"x": 2}}, {"a": {"x": 8}, "b": None}]
        row = rounds.rows(seen, ["a"], "b", ["x"])["a"]
        self.assertEqual((row["x"]["median"], row["ratios"]["x"]["median"]), (6, 2))

    def test_a_row_without_any_answer_says_so_in_the_table_and_in_what_is_left_out(self):
        seen = [{"Hearth": {"bytes": 4e6, "p50": 1, "p99": 2, "processor": 1e-3}, "nginx": None}]
        found = rounds.rows(seen, ["Hearth", "nginx"], "nginx", ("bytes", "p50", "p99", "processor"))
        found["Hearth"]["resident_bytes"] = 0
        result = {"title": "TLS", "figure": "bytes", "peer": "nginx", "connections": 16, "rows": found}
        self.assertIn(rounds.NOTHING, report.load(result))
        self.assertEqual(report.silent({"bytes": [result]}), [f"bytes, TLS, nginx: {rounds.NOTHING}"])


class Usage(unittest.TestCase):
    def test_the_memory_of_a_program_is_its_own_and_not_that_of_who_asks(self):
        ballast = b"1" * (64 << 20)
        self.assertLess(usage(["/bin/true"])[1] << 10, len(ballast) // 2)

    def test_a_program_that_fails_has_no_figures(self):
        with self.assertRaises(subprocess.CalledProcessError), contextlib.redirect_stderr(io.StringIO()):
            usage(["/bin/false"])


def run():
    loader = unittest.TestLoader()
    kinds = (Rows, Page, Document, Comparing, Agreement, Boxes, Turns, Usage)
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(kind) for kind in kinds)
    said = io.StringIO()
    result = unittest.TextTestRunner(said, verbosity=1).run(suite)
    if not result.wasSuccessful():
        print(said.getvalue())
    print(f"bench: self-test: {result.testsRun} tests, {len(result.failures) + len(result.errors) or 'no'} failures")
    return 0 if result.wasSuccessful() else 1
