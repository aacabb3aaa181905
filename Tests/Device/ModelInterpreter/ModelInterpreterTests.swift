import Foundation
import HearthModelInterpreter
import HearthTestSupport
import Testing

@Suite("Runs")
struct ModelInterpreterTests {
    @Test("two inputs, in the order in which they were added")
    func order() async throws {
        #expect(try await Sample.subtract.run([5, 7], Data(elements: [Float(1), 10])) as? [Float] == [4, -3])
    }

    @Test("one interpreter follows the declared dimensions where the model leaves them open")
    func openDimensions() async throws {
        let interpreter = Sample.batch.interpreter()
        for count in [1, 3, 1, 500, 2] {
            let rows = (0..<count).map { [Float($0), Float($0) / 4] }
            let sample = Sample.batch.with(dimensions: [NSNumber(value: count), 2])
            #expect(try await sample.run(rows, on: interpreter) as? [[Float]] == rows.map { $0.map { $0 * 3 } })
        }
    }

    @Test("an output whose size follows from an open dimension")
    func derivedOutput() async throws {
        let sample = Sample("models/flatten", .float32, [3, 2, 2, 1]).with {
            $0.outputFormats[0]?.dimensions = [3, 2]
        }
        let images = (0..<3).map { [Float](repeating: Float($0), count: 4) }.joined()
        #expect(
            try await sample.run(Data(elements: Array(images))) as? [[Float]] == [[0, 0], [4, 40], [8, 80]])
    }

    @Test("only the outputs that the options name are given")
    func someOutputs() async throws {
        let sample = Sample("models/shared_tensors", .float32, [2]).with {
            $0.outputFormats[2] = $0.outputFormats[0]
        }
        let inputs = ModelInputs()
        try inputs.addInput([1.5, 2])
        let outputs = try await sample.interpreter().run(inputs: inputs, options: sample.options())
        #expect(try outputs.output(index: 0) as? [Float] == [1.5, 2])
        #expect(try outputs.output(index: 2) as? [Float] == [3, 4])
        for index in [1, 3, UInt.max] {
            let error = failure { _ = try outputs.output(index: index) }
            #expect(error?.machineLearningCode == .invalidArgument)
            #expect(error?.localizedDescription.contains("[0, 2]") == true)
        }
    }

    @Test("inputs and options may change once a run has been asked for")
    func snapshot() async throws {
        let options = try Sample.batch.options()
        let inputs = ModelInputs()
        try inputs.addInput([[Float(1), 2]])
        let interpreter = Sample.batch.interpreter()
        interpreter.callbackQueue = .global()
        let rows: [[Float]]? = try await withCheckedThrowingContinuation { continuation in
            interpreter.run(inputs: inputs, options: options) { outputs, error in
                continuation.resume(
                    with: Result { try #require(outputs).output(index: 0) as? [[Float]] })
            }
            _ = failure { try inputs.addInput([1]) }
            _ = failure { try options.setInputFormat(index: 0, type: .int64, dimensions: [1]) }
        }
        #expect(rows == [[3, 6]])
    }

    @Test("indexes by the names of the model's tensors")
    func names() async throws {
        let interpreter = Sample.subtract.interpreter()
        #expect(try await interpreter.inputIndex(opName: "left") == 0)
        #expect(try await interpreter.inputIndex(opName: "right").uintValue == 1)
        #expect(try await interpreter.outputIndex(opName: "output") == 0)
    }

    @Test("names that the model does not have are refused, with those that it has", arguments: ["", "left", "Output"])
    func unknownNames(name: String) async throws {
        let interpreter = Sample.subtract.interpreter()
        let error = await #expect(throws: NSError.self) { try await interpreter.outputIndex(opName: name) }
        #expect(error?.machineLearningCode == .invalidArgument)
        #expect(
            error?.localizedDescription == "The model has no output called '\(name)'; it has 'output'.")
        await #expect(throws: NSError.self) { try await interpreter.inputIndex(opName: "output") }
    }

    @Test("the switch for statistics is remembered by all interpreters, and on at first")
    func statistics() {
        let interpreter = Sample.batch.interpreter()
        #expect(interpreter.isStatsCollectionEnabled)
        interpreter.isStatsCollectionEnabled = false
        #expect(!Sample.batch.interpreter().isStatsCollectionEnabled)
        interpreter.isStatsCollectionEnabled = true
    }
}

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

    @Test("an image of another size is refused, in the original's words")
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
