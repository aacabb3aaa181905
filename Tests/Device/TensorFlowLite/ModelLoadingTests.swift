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

/// A model mapped from an immutable file runs like one that was read, and outlives its name.
struct MappedModelTests {
    @Test(arguments: [Fixture.add_uint8, .flatten, .where_, .signatures])
    func runsFromAMapping(fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(contentsOf: URL(fileURLWithPath: fixture.path)), to: "model.tflite")
        let interpreter = try Interpreter(model: ModelFile(mappingImmutableFile: path))
        try FileManager.default.removeItem(atPath: path)
        let other = try fixture.interpreter()
        for interpreter in [interpreter, other] {
            try interpreter.allocateTensors()
            for index in 0..<interpreter.inputTensorCount {
                try interpreter.withUnsafeMutableInputBytes(at: index) { bytes in
                    for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: 3 * place + 1) & 0x3F }
                }
            }
            try interpreter.invoke()
        }
        for index in 0..<other.outputTensorCount {
            #expect(try interpreter.output(at: index) == other.output(at: index))
        }
    }
}

struct DelegateTests {
    /// As an app writes one around a C library's delegate.
    private final class ForeignDelegate: Delegate {
        let cDelegate: CDelegate

        init() {
            cDelegate = .allocate(capacity: 1)
            cDelegate.initialize(to: TfLiteDelegate())
        }

        deinit { cDelegate.deallocate() }
    }

    @Test func refusesDelegatesItCannotUse() {
        let error = #expect(throws: InterpreterError.self) {
            try Interpreter(modelPath: Fixture.add.path, options: nil, delegates: [ForeignDelegate()])
        }
        #expect(error?.description.contains("Delegates cannot be used") == true)
    }

    @Test func takesAPathThatMayBeMissing() throws {
        let missing: String? = nil
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: missing) }
        let there: String? = Fixture.add.path
        #expect(try Interpreter(modelPath: there).inputTensorCount == 1)
    }
}

struct HostileModelTests {
    /// Damaged models run or throw; they never take the process down. The same damage every time.
    @Test(arguments: [Fixture.add, .add_uint8, .add_int8, .flatten, .where_cast, .where_of_where, .shared_tensors])
    func survivesDamage(fixture: Fixture) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        var random = SeededGenerator(seed: 1)
        let count = ProcessInfo.processInfo.environment["HEARTH_DAMAGED_MODELS"].flatMap(Int.init) ?? 60
        for _ in 0..<count {
            var damaged = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            runToTheEnd(damaged)
        }
    }

    private func runToTheEnd(_ model: Data) {
        guard let interpreter = try? Interpreter(modelData: model) else { return }
        guard (try? interpreter.allocateTensors()) != nil, (try? interpreter.invoke()) != nil else { return }
        for index in 0..<interpreter.outputTensorCount { _ = try? interpreter.output(at: index) }
    }
}

/// SplitMix64: small, and the same on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
