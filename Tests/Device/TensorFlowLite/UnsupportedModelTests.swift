import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// Models that cannot be run: always an error that says why, never wrong numbers.
struct UnsupportedModelTests {
    /// The text of a `tensorFlowLiteError`; anything else is an issue.
    private func reason(_ body: () throws -> Void) -> String {
        let error = #expect(throws: InterpreterError.self) { try body() }
        guard case .tensorFlowLiteError(let text)? = error else {
            Issue.record("no reason in \(error as Any)")
            return ""
        }
        #expect(!text.contains("\n"))
        return text
    }

    @Test func namesAnUnknownCustomOperatorAtOnce() throws {
        #expect(reason { _ = try Fixture.unknown_custom.interpreter() }.contains("HearthUnknown"))
        let model = try ModelFile(ModelBytes(contentsOfFile: Fixture.unknown_custom.path))
        #expect(reason { _ = try Interpreter(model: model) }.contains("HearthUnknown"))
    }

    @Test(arguments: ["", "/", "/nowhere/model.tflite", "/dev/null", "a\0b"])
    func failsToLoadWhatIsNoFile(path: String) {
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
    }

    @Test func failsToLoadWhatIsNoModel() throws {
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: Data()) }
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: Data("hello".utf8)) }
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixture.flatten.path))
        for length in stride(from: 1, to: file.count * 3 / 4, by: 7) {
            #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: file.prefix(length)) }
        }
    }

    @Test func saysWhyAModelCannotBeLoaded() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixture.flatten.path))
        func reason(_ data: Data) -> (thrown: String, known: String) {
            let bytes = Result { try ModelFile(ModelBytes(copying: data)).checkForLoading() }
            guard case .failure(let known) = bytes else { return ("", "it is sound") }
            let thrown = #expect(throws: InterpreterError.self) { try Interpreter(modelData: data) }
            return (thrown?.localizedDescription ?? "", (known as? ModelFileError)?.message ?? "")
        }
        for data in [file.prefix(file.count / 2), Data("hello".utf8), Data()] {
            let (thrown, known) = reason(data)
            #expect(!known.isEmpty && thrown == "Failed to load the given model. Reason: \(known)")
        }
        let missing = #expect(throws: InterpreterError.self) { try Interpreter(modelPath: "/nowhere/model.tflite") }
        #expect(missing?.description.contains("/nowhere/model.tflite") == true)
    }

    /// It reads as a model, but the engine's kernels divide by its scale.
    @Test func failsToLoadAModelThatCouldHarmTheEngine() throws {
        var file = try Data(contentsOf: URL(fileURLWithPath: Fixture.add_uint8.path))
        let scale = try #require(file.firstRange(of: Data(elements: [Float(0.003922)])))
        file.replaceSubrange(scale, with: Data(count: 4))
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: file) }
        let model = try ModelFile(ModelBytes(copying: file))
        let error = #expect(throws: ModelFileError.self) { try Interpreter(model: model) }
        #expect(error?.description.contains("scale that is zero") == true, "\(error as Any)")
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: [
            "empty.tflite", "invalid_model.bin", "no_subgraphs.bin", "test_model_broken.bin", "truncated_half.tflite",
        ])
    func failsToLoadBrokenFiles(name: String) {
        let path = TestPaths.shared.appendingPathComponent("models/invalid/\(name)").path
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
        #expect(throws: ModelFileError.self) {
            try Interpreter(model: ModelFile(ModelBytes(contentsOfFile: path)))
        }
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: [
            ("custom_sinh.bin", "Sinh"), ("softplus_flex.bin", "FlexSoftplus"),
        ])
    func namesWhatRealModelsNeed(name: String, operation: String) {
        let path = TestPaths.shared.appendingPathComponent("models/interp/\(name)").path
        let text = reason { _ = try Interpreter(modelPath: path) }
        #expect(text.contains(operation), "\(text)")
    }
}
