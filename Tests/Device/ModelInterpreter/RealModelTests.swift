import Foundation
import HearthModelInterpreter
import HearthTestSupport
import Testing

@Suite("A MobileNet of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct RealModelTests {
    private static let model = TestPaths.shared.appendingPathComponent(
        "models/mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite")

    private let sample = Sample("", .float32, [1, 224, 224, 3]).with { $0.outputFormats[0]?.dimensions = [1, 1001] }
    private let interpreter = ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: model.path))

    /// The first scores that the engine's own interpreter gives for this input.
    private let golden: [Float] = [1.555176822876092e-05, 7.758523133816198e-05, 0.00011784052912844345]

    @Test("the same scores from Data and from four levels of arrays, and those that the engine is known for")
    func scores() async throws {
        let values: [Float] = (0..<224 * 224 * 3).map { (index: Int) -> Float in
            let byte = (7 * index) % 251
            return Float(byte - 125) / 128
        }
        let nested = [values.rows(of: 3).rows(of: 224)]
        let fromData = try await sample.run(Data(elements: values), on: interpreter) as? [[Float]]
        let fromArray = try await sample.run(nested, on: interpreter) as? [[Float]]
        #expect(fromData == fromArray)
        let scores = try #require(fromData?.first)
        #expect(scores.count == 1001)
        #expect(abs(scores.reduce(0, +) - 1) < 1e-4)
        for (score, expected) in zip(scores, golden) { #expect(abs(score - expected) < expected / 100) }
    }

    @Test("a picture of another size is refused, in the original's words")
    func size() async {
        let error = await sample.error(Data(count: 320 * 240 * 3 * 4), on: interpreter)
        #expect(error?.localizedDescription == "Input 0 should have 602112 bytes, but found 921600 bytes.")
    }

    @Test("indexes by name")
    func names() async throws {
        #expect(try await interpreter.inputIndex(opName: "input") == 0)
        #expect(try await interpreter.outputIndex(opName: "MobilenetV1/Predictions/Reshape_1") == 0)
    }
}
