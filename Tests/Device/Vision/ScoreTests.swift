import Foundation
import HearthModelSource
import HearthVision
import Testing

/// Over labelers that pass the picture's one pixel on: what goes in must come out, through every type.
@Suite("Scores of every type")
struct ScoreTests {
    @Test(
        "a pixel of 64, 192, 192 through the model and back",
        arguments: [
            ("uint8", [192.0 / 256, 192.0 / 256, 64.0 / 256]), ("uint8_rank4", [0.75, 0.75, 0.25]),
            ("int8", [0.75, 0.75, 0.25]),
            ("uint8_offset", [92.0 / 256, 92.0 / 256]), ("float", [192.0 / 255, 192.0 / 255, 64.0 / 255]),
            ("float_channels", [0.92, 64.0 / 255]),
        ] as [(String, [Float])])
    func types(model: String, expected: [Float]) throws {
        let labels = try Labeler.fixture(model).results(in: Labeler.pixel)
        #expect(labels.count == expected.count, "negative scores are dropped")
        for (label, score) in zip(labels, expected) { #expect(abs(label.confidence - score) < 1e-6) }
    }

    @Test("of equal scores the lower index comes first; without labels the text is empty")
    func ties() throws {
        let labels = try Labeler.fixture("uint8").results(in: Labeler.pixel)
        #expect(labels.map(\.index) == [1, 2, 0])
        #expect(labels.map(\.text) == ["", "", ""])
        #expect(labels[0].description == "#1 0.75")
    }

    @Test("the threshold: what equals it stays", arguments: [(0.75, 2), (0.7501, 0), (0.25, 3), (0, 3), (1, 0)])
    func threshold(value: Double, count: Int) throws {
        let labels = try Labeler.fixture("uint8", threshold: value as NSNumber).results(in: Labeler.pixel)
        #expect(labels.count == count)
    }

    @Test(
        "the model's own threshold, unless the app gives a valid one",
        arguments: [
            (nil, 2), (0.1, 3), (-0.1, 2), (1.5, 2), (Double.nan, 2),
        ] as [(Double?, Int)])
    func modelThreshold(value: Double?, count: Int) throws {
        let labeler = Labeler.fixture("uint8_threshold", threshold: value.map { $0 as NSNumber })
        #expect(try labeler.results(in: Labeler.pixel).count == count)
    }

    @Test("at most so many; a count that is not positive means ten", arguments: [(1, 1), (2, 2), (0, 3), (-5, 3)])
    func maxCount(value: Int, count: Int) throws {
        #expect(try Labeler.fixture("uint8", maxCount: value).results(in: Labeler.pixel).count == count)
        let digits = Labeler.make(LocalModel(path: Labeler.bundle("digits-labeler-2")), maxCount: value)
        #expect(try digits.results(in: Labeler.pixel).count == (value > 0 ? value : 10))
    }

    @Test("label texts from a file beside the model, in its order")
    func texts() throws {
        let folder = try LabelFile("red\ngreen\nblue\n")
        let labeler = Labeler.make(LocalModel(path: Labeler.path("uint8.tflite"), labelsPath: folder.path))
        let labels = try labeler.results(in: Labeler.pixel)
        #expect(labels.map(\.summary) == ["1 green 0.75", "2 blue 0.75", "0 red 0.25"])
        #expect(labels[0].description == "green 0.75")
    }
}
