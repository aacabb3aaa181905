import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@testable import HearthLocalCommands

/// Over models of the fixtures that pass the image on.
@Suite struct FileLabelerTests {
    private static func path(_ name: String) -> String { TestPaths.fixtures.appendingPathComponent(name).path }

    private func labeler(_ model: String, threshold: Float? = nil, maxCount: Int = 10) throws -> FileLabeler {
        try FileLabeler(
            model: LocalModel(path: model), name: "model", threshold: threshold, maxCount: maxCount,
            looking: ImageReadingOptions(), threads: 1)
    }

    @Test func negativeScoresAreThereUnlessAThresholdIsWanted() throws {
        let pixel = Self.path("labelers/pixel.png")
        let model = Self.path("labelers/uint8_offset.tflite")
        #expect(try labeler(model).answer(pixel).lines == ["     0.36  #1", "     0.36  #2", "    -0.14  #0"])
        #expect(try labeler(model, threshold: 0).answer(pixel).labels.map(\.index) == [1, 2])
    }

    /// One score below 0 shows that the others are no probabilities either, also where it is not shown.
    @Test func theFormIsThatOfAllScores() throws {
        let labeler = try labeler(Self.path("labelers/uint8_offset.tflite"), maxCount: 1)
        let outcome = labeler.outcome(Self.path("labelers/pixel.png"), asJSON: false)
        #expect(outcome.output.hasSuffix("\n     0.36  #1\n") && outcome.showsNumbers)
        let shares = try self.labeler(Self.path("labelers/uint8.tflite"))
        let plain = shares.outcome(Self.path("labelers/pixel.png"), asJSON: false)
        #expect(plain.output.contains("   75.0 %  #1") && !plain.showsNumbers)
        #expect(!shares.outcome(Self.path("labelers/pixel.png"), asJSON: true).output.contains("probabilities"))
    }

    @Test func logitsOfADetectorAreNumbers() throws {
        let detector = try FileDetector(
            model: LocalModel(path: Self.path("detection/logits.tflite")), name: "model", threshold: 0.5,
            looking: ImageReadingOptions(), threads: 1)
        let outcome = detector.outcome(Self.path("detection/spots.png"), asJSON: false)
        #expect(outcome.output.contains("     8.15  #1  at 1,1, 2 x 2\n     0.75  #0"), "\(outcome.output)")
        #expect(outcome.showsNumbers)
    }

    @Test func severalLabelFilesAreNamed() throws {
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: URL(fileURLWithPath: Self.path("labelers/uint8.tflite")))
        let path = try folder.write(model, to: "model.tflite")
        for name in ["labels.txt", "dict.txt"] { _ = try folder.write("a\nb\nc\n".utf8, to: name) }
        let notices = try labeler(path).notices
        #expect(
            notices == [
                "note: there are several label files beside the model, so none was used; name one with --labels: "
                    + "dict.txt, labels.txt"
            ])
        #expect(try labeler(Self.path("labelers/uint8.tflite")).notices.isEmpty)
    }
}
