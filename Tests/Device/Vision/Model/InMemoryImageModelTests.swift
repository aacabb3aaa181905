import Foundation
import HearthImaging
import HearthModelFile
import Testing

@testable import HearthVision

/// What a server runs in its sandbox.
@Suite("Models in memory")
struct InMemoryImageModelTests {
    private func model(_ path: String) throws -> InMemoryImageModel {
        try InMemoryImageModel(bytes: ModelBytes(contentsOfFile: path), answerCount: 20)
    }

    @Test("a detection model whose first output looks like a labeler's is a detector")
    func scoresFirst() throws {
        for name in ["shuffled.tflite", "signed.tflite"] {
            let model = try model(Detector.path(name))
            #expect(model.isDetector)
            let picture = try Data(contentsOf: URL(fileURLWithPath: Detector.path("spots.png")))
            #expect(try model.result(for: picture, options: ImageDecodeOptions()).answers.first?.frame != nil)
        }
    }

    @Test("numbers without names are called scores where the model ends in an operator that gives probabilities")
    func scoresWithoutNames() throws {
        let answers = { (path: String) in try model(path).description.answers }
        #expect(try answers(Labeler.bundle("digits-labeler/model.tflite")) == ["10 scores without names"])
        let plain = "3 numbers without names: scores, logits or an embedding"
        #expect(try answers(Labeler.path("uint8.tflite")) == [plain])
    }

    @Test("a detection model that cannot be read is not taken for a labeler")
    func undescribed() {
        let error = #expect(throws: NSError.self) { try model(Detector.path("undescribed.tflite")) }
        #expect(error?.localizedDescription.hasPrefix("The model does not say which of its outputs") == true)
    }

    @Test(
        "a labeler that returns boxes too is a labeler: by shapes, or by the labels of its scores",
        arguments: ["box_beside", "box_beside_labels", "boxes_beside_labels"])
    func labelerWithBoxes(name: String) throws {
        let model = try model(Labeler.path("../metadata/\(name).tflite"))
        #expect(!model.isDetector)
        let picture = try Data(contentsOf: URL(fileURLWithPath: Labeler.path("pixel.png")))
        let answers = try model.result(for: picture, options: ImageDecodeOptions()).answers
        #expect(answers.count == 12 && answers.allSatisfy { $0.frame == nil })
        #expect(answers.last?.text.hasPrefix("red") == (name != "box_beside"), "red is the darkest")
    }

    @Test("a labeler's negative scores are answers too, unless a threshold is wanted")
    func negativeScores() throws {
        let path = Labeler.path("uint8_offset.tflite")
        let picture = try Data(contentsOf: URL(fileURLWithPath: Labeler.path("pixel.png")))
        let all = try model(path).result(for: picture, options: ImageDecodeOptions()).answers
        #expect(all.map(\.index) == [1, 2, 0])
        let some = try InMemoryImageModel(bytes: ModelBytes(contentsOfFile: path), answerCount: 20, threshold: 0)
        #expect(try some.result(for: picture, options: ImageDecodeOptions()).answers.map(\.index) == [1, 2])
    }
}
