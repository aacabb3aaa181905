import HearthWire
import Testing

@testable import HearthCatalog

@Suite("Rehearsals: the gate") struct RehearsalGateTests {
    /// A result with so many same and expected answers on `images` images.
    private func summary(
        images: Int, agreeing: Int, correct: Int, correctBefore: Int, lost: Int? = nil,
        labels: [RehearsalBodies.LabelRow]? = nil
    ) -> RehearsalBodies.Summary {
        var summary = RehearsalBodies.Summary()
        (summary.images, summary.lost) = (images, lost)
        (summary.compared, summary.agreeing, summary.labeled) = (images, agreeing, images)
        summary.candidate.correct = correct
        var baseline = RehearsalBodies.Totals()
        baseline.correct = correctBefore
        summary.baseline = baseline
        summary.labels = labels
        return summary
    }

    @Test(
        "A text is read and written in one form",
        arguments: [
            ("agreement=98%", "agreement=98%"), ("accuracy=-1%", "accuracy=-1%"), ("accuracy=+0.50%", "accuracy=+0.5%"),
            ("accuracy=0%,agreement=99.25%", "agreement=99.25%,accuracy=0%"), ("agreement=100%", "agreement=100%"),
            (" agreement = 9% , label-accuracy=-10%", "agreement=9%,label-accuracy=-10%"),
            ("accuracy=-0.05%", "accuracy=-0.05%"), ("agreement=98.5500000%", "agreement=98.55%"),
            ("accuracy=+1.0%", "accuracy=+1%"), ("shown-loss=1.50%", "shown-loss=1.5%"),
            ("label-shown-loss=0%,shown-loss=99.99%,accuracy=0%", "accuracy=0%,shown-loss=99.99%,label-shown-loss=0%"),
        ])
    func form(text: String, canonical: String) throws {
        let gate = try RehearsalGate(text)
        #expect(gate.text == canonical)
        #expect(try RehearsalGate(gate.text) == gate)
    }

    @Test(
        "What is no gate is refused",
        arguments: [
            "", ",", "agreement", "agreement=98", "agreement=101%", "agreement=100.01%", "agreement=-1%",
            "agreement=+1%",
            "agreement=98%,agreement=97%", "accuracy=1.234%", "accuracy=%", "accuracy=-%", "accuracy=1e1%",
            "accuracy=-100.01%", "speed=1%", "agreement=98%,", "agreement=98%=", "agreement=٩%", "accuracy=--1%",
            "accuracy=1%", "label-accuracy=10%", "accuracy=1.%", "accuracy=.5%", "accuracy=99999999999999999999%",
            "shown-loss=-1%", "shown-loss=+1%", "shown-loss=100%", "shown-loss=1%,shown-loss=1%", "shown-loss",
        ])
    func refused(text: String) {
        #expect(throws: CatalogError.self) { try RehearsalGate(text) }
    }

    @Test("Too many decimals are refused with the rule", arguments: ["agreement=98.55555%", "accuracy=-1.234%"])
    func decimals(text: String) {
        let error = #expect(throws: CatalogError.self) { try RehearsalGate(text) }
        #expect(error?.message.contains("at most 2 digits behind the point, such as 98.55%") == true)
    }

    @Test("Agreement is met exactly at the limit, and not one image below it")
    func agreement() throws {
        let gate = try RehearsalGate("agreement=98%")
        #expect(gate.failures(of: summary(images: 200, agreeing: 196, correct: 0, correctBefore: 0)).isEmpty)
        let below = gate.failures(of: summary(images: 200, agreeing: 195, correct: 0, correctBefore: 0))
        #expect(below == ["the same answer on 195 of 200 images (97.5%), and 98% is required"])
        #expect(
            try RehearsalGate("agreement=0%").failures(
                of: summary(images: 9, agreeing: 0, correct: 0, correctBefore: 0)
            ).isEmpty)
    }

    @Test("Accuracy may change by the limit exactly, and not by one image more")
    func accuracy() throws {
        let gate = try RehearsalGate("accuracy=-1%")
        #expect(gate.failures(of: summary(images: 200, agreeing: 0, correct: 188, correctBefore: 190)).isEmpty)
        let worse = gate.failures(of: summary(images: 200, agreeing: 0, correct: 187, correctBefore: 190))
        #expect(worse.count == 1 && worse[0].contains("187 of 200 images, before on 190 (-1.5%)"), "\(worse)")
        let better = try RehearsalGate("accuracy=+1%")
        #expect(!better.failures(of: summary(images: 100, agreeing: 0, correct: 90, correctBefore: 90)).isEmpty)
        #expect(better.failures(of: summary(images: 100, agreeing: 0, correct: 91, correctBefore: 90)).isEmpty)
        // A thirdful of a percent must not be rounded in favour of the version.
        let thirds = try RehearsalGate("accuracy=-33.33%")
        #expect(!thirds.failures(of: summary(images: 3, agreeing: 0, correct: 1, correctBefore: 2)).isEmpty)
    }

    @Test("A loss in one expected answer is not hidden by the others")
    func labels() throws {
        let rows = [
            RehearsalBodies.LabelRow(label: "a", images: 10, candidateCorrect: 10, baselineCorrect: 9),
            RehearsalBodies.LabelRow(label: "b", images: 10, candidateCorrect: 7, baselineCorrect: 9),
        ]
        let result = summary(images: 100, agreeing: 100, correct: 90, correctBefore: 90, labels: rows)
        #expect(try RehearsalGate("accuracy=0%").failures(of: result).isEmpty)
        #expect(try RehearsalGate("label-accuracy=-20%").failures(of: result).isEmpty)
        let failures = try RehearsalGate("label-accuracy=-19.99%").failures(of: result)
        #expect(failures.count == 1 && failures[0].contains("for 'b'"), "\(failures)")
    }

    @Test("Nothing that was not compared passes; without another version there is nothing to fail")
    func nothing() throws {
        let gate = try RehearsalGate("agreement=0%")
        #expect(!gate.failures(of: summary(images: 0, agreeing: 0, correct: 0, correctBefore: 0)).isEmpty)
        #expect(gate.failures(of: RehearsalBodies.Summary()).isEmpty)
        var unlabeled = summary(images: 10, agreeing: 10, correct: 0, correctBefore: 0)
        unlabeled.labeled = 0
        #expect(
            try RehearsalGate("agreement=1%,label-accuracy=-100%,shown-loss=1%").failures(of: unlabeled) == [
                "label-accuracy=-100% and shown-loss=1%: cannot be judged, because no image has an expected answer"
            ])
        #expect(gate.verdict(on: unlabeled).passes)
    }

    @Test("A loss is refused if it is shown, and not because some answers were lost")
    func shownLoss() throws {
        let gate = try RehearsalGate("shown-loss=1%")
        // Of 50 images, 4 lost and none gained are the fewest that show more than one percent.
        #expect(gate.failures(of: summary(images: 50, agreeing: 47, correct: 40, correctBefore: 43, lost: 3)).isEmpty)
        let shown = gate.failures(of: summary(images: 50, agreeing: 46, correct: 40, correctBefore: 44, lost: 4))
        #expect(
            shown == [
                "the expected answer on 40 of 50 images, before on 44 (-8%): 4 lost and 0 gained show a loss of more than 1%, "
                    + "which is the most that is allowed"
            ])
        // The same difference among more answers that differ is no proof.
        #expect(gate.failures(of: summary(images: 50, agreeing: 40, correct: 40, correctBefore: 44, lost: 7)).isEmpty)
        // The requirement on the share refuses all of these.
        #expect(
            try !RehearsalGate("accuracy=-1%").failures(
                of: summary(images: 50, agreeing: 47, correct: 40, correctBefore: 43, lost: 3)
            ).isEmpty)
    }

    @Test("Each expected answer is judged alone, with its part of the level")
    func labelShownLoss() throws {
        func row(_ label: String, lost: Int) -> RehearsalBodies.LabelRow {
            .init(label: label, images: 50, candidateCorrect: 40 - lost, baselineCorrect: 40, lost: lost)
        }
        let gate = try RehearsalGate("label-shown-loss=0%")
        // Alone, 4 lost of 50 show a loss; one of twenty answers needs more.
        let alone = summary(
            images: 50, agreeing: 46, correct: 36, correctBefore: 40, lost: 4, labels: [row("a", lost: 4)])
        #expect(gate.failures(of: alone).count == 1)
        let rows = (0..<20).map { row("a\($0)", lost: $0 == 0 ? 4 : $0 == 1 ? 12 : 0) }
        let many = summary(images: 1000, agreeing: 984, correct: 784, correctBefore: 800, lost: 16, labels: rows)
        let failures = gate.failures(of: many)
        #expect(failures.count == 1 && failures[0].contains("for 'a1'"), "\(failures)")
    }

    @Test("A result without the numbers of lost answers, or with impossible ones, is not taken as good")
    func unknownLoss() throws {
        let gate = try RehearsalGate("shown-loss=1%,label-shown-loss=1%")
        let earlier = gate.failures(of: summary(images: 50, agreeing: 50, correct: 40, correctBefore: 40))
        #expect(earlier.count == 2 && earlier.allSatisfy { $0.contains("rehearse with --again") }, "\(earlier)")
        for lost in [-1, 3, 51, Int.max / 2] {
            let result = summary(images: 50, agreeing: 40, correct: 40, correctBefore: 44, lost: lost)
            #expect(try RehearsalGate("shown-loss=1%").failures(of: result).first?.contains("contradict") == true)
        }
    }

    @Test(
        "A verdict says what the requirements cannot tell: equal versions that are refused, losses that are not shown")
    func notes() throws {
        let rows = [
            RehearsalBodies.LabelRow(label: "a", images: 20, candidateCorrect: 18, baselineCorrect: 18, lost: 0)
        ]
        let result = summary(images: 20, agreeing: 20, correct: 18, correctBefore: 18, lost: 0, labels: rows)
        let verdict = try RehearsalGate("accuracy=-1%,shown-loss=1%").verdict(on: result)
        #expect(verdict.passes)
        #expect(
            verdict.notes == [
                "accuracy=-1% refuses 27% of the versions that are as good as the one before, if 5% of the answers on these "
                    + "images differ; shown-loss=1% refuses at most 5%, and finds only losses of 31 points and more on these "
                    + "images",
                "shown-loss=1%: 20 images need 4 lost answers (20%) or more to show such a loss; more if other answers are "
                    + "gained",
            ])
        // Three lost and three gained.
        let differing = summary(images: 20, agreeing: 14, correct: 16, correctBefore: 16, lost: 3, labels: rows)
        let notes = try RehearsalGate("agreement=70%,accuracy=-1%").verdict(on: differing).notes ?? []
        let premise = "of the versions that are as good as the one before, if 30% of the answers on these images differ"
        #expect(notes.first == "agreement=70% refuses 39% \(premise), as in this result", "\(notes)")
        #expect(
            notes.last?.hasPrefix("accuracy=-1% refuses 42% \(premise), as in this result; shown-loss=1% refuses")
                == true,
            "\(notes)")
        #expect(try RehearsalGate("accuracy=-1%").verdict(on: result, hasNotes: false).notes == nil)
        #expect(
            try RehearsalGate("accuracy=-50%").verdict(on: result).notes == nil, "it refuses hardly any equal version")
        #expect(try RehearsalGate("label-shown-loss=99%").verdict(on: result).notes?.first?.contains("cannot") == true)
        #expect(try RehearsalGate("accuracy=-1%").verdict(on: RehearsalBodies.Summary()).notes == nil)
    }

    @Test("A refusal names how often its requirement refuses an equal version; one for a shown loss needs no warning")
    func problem() throws {
        let rows = [
            RehearsalBodies.LabelRow(label: "a", images: 20, candidateCorrect: 14, baselineCorrect: 20, lost: 6)
        ]
        let result = summary(images: 20, agreeing: 14, correct: 14, correctBefore: 20, lost: 6, labels: rows)
        let share = try #require(try RehearsalGate("accuracy=-1%").problem(of: result))
        // 6 of 20 answers differ, which is known here.
        let warning =
            "a change of at least -1% is required (accuracy=-1% refuses 42% of the versions that are as good as the one before, "
            + "if 30% of the answers on these images differ, as in this result)"
        #expect(share.hasSuffix(warning), "\(share)")
        let shown = try #require(try RehearsalGate("shown-loss=1%").problem(of: result))
        #expect(shown.hasSuffix("which is the most that is allowed"), "\(shown)")
        #expect(try RehearsalGate("accuracy=-30%").problem(of: result) == nil)
    }

    /// Servers ask for the problem while they write, and a loss among 500 images takes a million steps to judge.
    @Test("A refusal on 500 images judges each loss once")
    func work() throws {
        let rows = (0..<10).map {
            RehearsalBodies.LabelRow(label: "\($0)", images: 50, candidateCorrect: 20, baselineCorrect: 40, lost: 20)
        }
        let result = summary(images: 500, agreeing: 300, correct: 200, correctBefore: 400, lost: 200, labels: rows)
        let gate = try RehearsalGate("agreement=98%,accuracy=-1%,label-accuracy=-1%,shown-loss=1%,label-shown-loss=1%")
        var judged = 0
        let problem = gate.problem(of: result) { test, lost, gained in
            judged += 1
            #expect(lost * 500 == 200 * test.images && gained == 0)
            return true
        }
        #expect(judged == 1 + rows.count)
        #expect(problem == gate.problem(of: result))
    }
}
