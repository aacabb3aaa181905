import HearthCatalog
import HearthWire
import Testing

@Suite("Rehearsals: the gate") struct RehearsalGateTests {
    /// A result with so many same and expected answers on `images` images.
    private func summary(
        images: Int, agreeing: Int, correct: Int, correctBefore: Int, labels: [RehearsalBodies.LabelRow]? = nil
    ) -> RehearsalBodies.Summary {
        var summary = RehearsalBodies.Summary()
        summary.images = images
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
            ("accuracy=+1.0%", "accuracy=+1%"),
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
        #expect(try !RehearsalGate("accuracy=-100%").failures(of: unlabeled).isEmpty)
        #expect(gate.verdict(on: unlabeled).passes)
    }
}
