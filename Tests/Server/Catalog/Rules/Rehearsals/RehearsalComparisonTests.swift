import HearthCatalog
import HearthWire
import Testing

@Suite("Rehearsals: the comparison") struct RehearsalComparisonTests {
    private func labels(_ names: [(String, Double)], microseconds: Int = 100, memory: Int = 1) -> ImageProbeReport.Image
    {
        .init(
            answers: names.enumerated().map { .init(text: $1.0, index: $0, confidence: $1.1) }, width: 8, height: 8,
            microseconds: microseconds, peakMemoryBytes: memory)
    }

    private func boxes(_ boxes: [(String, [Double])]) -> ImageProbeReport.Image {
        .init(
            answers: boxes.map { .init(text: $0.0, index: 0, confidence: 0.9, box: $0.1) }, width: 8, height: 8,
            microseconds: 1, peakMemoryBytes: nil)
    }

    private let failed = ImageProbeReport.Image(failure: "it is no image")

    @Test("Labelers: same and other answers, failures of one and of both, expected answers")
    func labelers() {
        let result = RehearsalComparison.compare([
            .init(
                name: "same", label: "a", candidate: labels([("a", 0.75)], microseconds: 300),
                baseline: labels([("a", 0.5)])),
            .init(
                name: "other", label: "a", candidate: labels([("b", 0.9)], memory: 7), baseline: labels([("a", 0.9)])),
            .init(name: "lost", label: "b", candidate: failed, baseline: labels([("b", 0.9)])),
            .init(name: "back", label: "b", candidate: labels([("b", 0.9)]), baseline: failed),
            .init(name: "both", label: "b", candidate: failed, baseline: failed),
            .init(name: "free", label: nil, candidate: labels([]), baseline: labels([])),
        ])
        #expect(result.images.map(\.change) == [nil, "answer", "failure", "recovery", nil, nil])
        let summary = result.summary
        #expect((summary.images, summary.compared, summary.agreeing, summary.labeled) == (6, 5, 2, 4))
        #expect((summary.candidate.answered, summary.candidate.failed, summary.candidate.correct) == (4, 2, 2))
        #expect(summary.baseline?.correct == 3 && summary.lost == 2)
        #expect(summary.confidenceShift == 0.25)
        #expect(summary.candidate.medianMicroseconds == 100 && summary.candidate.peakMemoryBytes == 7)
        #expect(
            summary.labels == [
                .init(label: "a", images: 2, candidateCorrect: 1, baselineCorrect: 2, lost: 1),
                .init(label: "b", images: 2, candidateCorrect: 1, baselineCorrect: 1, lost: 1),
            ])
        #expect(summary.boxesLost == nil)
    }

    @Test("A label without a name is its index")
    func unnamed() {
        let report = labels([("", 0.9)])
        let result = RehearsalComparison.compare([.init(name: "x", label: "#0", candidate: report, baseline: nil)])
        #expect(result.summary.candidate.correct == 1)
        #expect(result.summary.baseline == nil && result.summary.compared == 0 && result.summary.lost == nil)
    }

    @Test("Detectors: a box is the same if it overlaps by half and has the same label")
    func detectors() {
        let old = boxes([("cat", [0, 0, 4, 4]), ("dog", [10, 0, 4, 4])])
        let cases: [(ImageProbeReport.Image, lost: Int, found: Int)] = [
            (boxes([("dog", [10, 0, 4, 4]), ("cat", [0, 0, 4, 4])]), 0, 0),
            // 8 of 16 + 16 - 8 is a third; 12 of 20 is more than half.
            (boxes([("cat", [2, 0, 4, 4]), ("dog", [10, 0, 4, 4])]), 1, 1),
            (boxes([("cat", [1, 0, 4, 4]), ("dog", [10, 0, 4, 4])]), 0, 0),
            (boxes([("cat", [0, 0, 4, 4]), ("cat", [10, 0, 4, 4])]), 1, 1),
            (boxes([("cat", [0, 0, 4, 4])]), 1, 0),
            (boxes([("cat", [0, 0, 4, 4]), ("cat", [0, 0, 4, 4]), ("dog", [10, 0, 4, 4])]), 0, 1),
            (boxes([]), 2, 0),
        ]
        for (new, lost, found) in cases {
            let result = RehearsalComparison.compare([.init(name: "x", label: nil, candidate: new, baseline: old)])
            #expect(result.summary.boxesLost == lost && result.summary.boxesFound == found)
            #expect(result.summary.agreeing == (lost + found == 0 ? 1 : 0))
        }
    }
}
