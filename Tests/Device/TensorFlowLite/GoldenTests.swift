import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models give the very bytes that the same release's Python interpreter gives.
struct GoldenTests {
    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter { !$0.fails })
    func matches(golden: GoldenRun) throws {
        var options = Interpreter.Options()
        if golden.needsBuiltInKernels { options.kernelMode = .builtIn }
        let interpreter = try Interpreter(modelPath: golden.modelURL.path, options: options)
        let run = try golden.runner(interpreter)
        try run.prepare(golden)
        for (number, expected) in golden.outputs.enumerated() {
            if number == 3 { try interpreter.resetVariableTensors() }
            try expect(run.outputs(), toBe: expected, "run \(number)")
        }
        // And once more: what was learnt in the first run must not spoil the second.
        try interpreter.resetVariableTensors()
        try expect(run.outputs(), toBe: golden.outputs[0], "the first run again")
    }

    /// Bytes are equal, or the numbers that the golden file lists are near for what our own float kernels compute.
    private func expect(_ tensors: [Tensor], toBe expected: [GoldenRun.Output], _ comment: Comment) throws {
        #expect(tensors.count == expected.count, comment)
        for (tensor, expected) in zip(tensors, expected) {
            let output = try GoldenRun.Output(tensor)
            guard output != expected, let near = expected.floats, tensor.dataType == .float32 else {
                #expect(output == expected, comment)
                continue
            }
            let values = try tensor.values(as: Float.self)
            #expect(values.count == near.count, comment)
            #expect(zip(values, near).allSatisfy { abs($0 - $1) <= 1e-5 * abs($1) }, comment)
        }
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter(\.fails))
    func failsWhereTheEngineDoes(golden: GoldenRun) {
        let error = #expect(throws: InterpreterError.self) { try Interpreter(modelPath: golden.modelURL.path) }
        #expect(error?.description.contains("custom operators") == true, "\(error as Any)")
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter(\.needsBuiltInKernels))
    func failsWhereXNNPackDoes(golden: GoldenRun) throws {
        let run = try golden.runner(Interpreter(modelPath: golden.modelURL.path))
        try run.prepare(golden)
        let error = #expect(throws: InterpreterError.self) { try run.outputs() }
        #expect(error?.description.contains("failed to prepare") == true, "\(error as Any)")
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func coversEveryRun() throws {
        #expect(try GoldenRun.all().count == 48)
        #expect(try GoldenRun.all().count(where: \.fails) == 2)
        #expect(try GoldenRun.all().count(where: \.needsBuiltInKernels) == 1)
    }
}

/// One entry of `goldens/raw_tensors.json`: a model, inputs made by the rule stated there, and its outputs.
struct GoldenRun: Sendable, CustomTestStringConvertible {
    /// Numbers by hash, strings outright.
    enum Output: Sendable, Equatable {
        /// With all numbers where the model is a recurrent one, whose float kernels are ours: those cannot be equal in
        /// each bit.
        case bytes(shape: [Int], sha256: String, floats: [Float]?)
        case strings(shape: [Int], [String])

        var floats: [Float]? {
            guard case .bytes(_, _, let floats) = self else { return nil }
            return floats
        }

        static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.bytes(let shape, let hash, _), .bytes(let other, let otherHash, _)):
                shape == other && hash == otherHash
            case (.strings(let shape, let strings), .strings(let other, let others)):
                shape == other && strings == others
            default: false
            }
        }
    }

    let model: String
    let signature: String?
    let inputTypes: [String]
    /// Values given outright, by input: its number, or its name in a signature.
    let numbers: [String: [Int32]]
    let strings: [String: [String]]
    let resizes: [Int: Tensor.Shape]
    /// For each run of the model in turn. Four for models with state: three in a row, and one after a reset.
    let outputs: [[Output]]
    /// Whether the engine's own interpreter fails, too.
    let fails: Bool
    /// Whether it runs the model with its built-in kernels only.
    let needsBuiltInKernels: Bool

    var modelURL: URL { TestPaths.shared.appendingPathComponent(model) }
    var testDescription: String { [model, signature].compactMap(\.self).joined(separator: " ") }

    static func all() throws -> [GoldenRun] {
        guard TestPaths.hasSharedData else { return [] }
        let file = TestPaths.shared.appendingPathComponent("goldens/raw_tensors.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        return try #require(json?["runs"] as? [[String: Any]]).map(GoldenRun.init)
    }

    private init(_ json: [String: Any]) throws {
        model = try #require(json["model"] as? String)
        signature = json["signature"] as? String
        fails = json["fails"] != nil
        inputTypes = (json["inputs"] as? [[String: Any]] ?? []).compactMap { $0["dtype"] as? String }
        let values = json["input_values"] as? [String: Any] ?? [:]
        numbers = values.compactMapValues { ($0 as? [Int])?.map(Int32.init) }
        strings = values.compactMapValues { $0 as? [String] }
        let shapes = json["resize_inputs_to"] as? [String: [Int]] ?? [:]
        resizes = Dictionary(uniqueKeysWithValues: try shapes.map { (try #require(Int($0)), Tensor.Shape($1)) })
        let engines = json["outputs"] as? [String: Any]
        needsBuiltInKernels = engines?["xnnpack"] is [String: Any]
        let outputs = engines?[needsBuiltInKernels ? "builtin" : "xnnpack"]
        let runs = outputs as? [[[String: Any]]] ?? (outputs as? [[String: Any]]).map { [$0] } ?? []
        let isRecurrent = model.hasSuffix("lstm.bin")
        self.outputs = try runs.map { try $0.map { try Self.output($0, withFloats: isRecurrent) } }
    }

    private static func output(_ json: [String: Any], withFloats: Bool) throws -> Output {
        let shape = try #require(json["shape"] as? [Int])
        if let values = json["values"] as? [String] { return .strings(shape: shape, values) }
        let floats = withFloats ? (json["first16"] as? [Double])?.map(Float.init) : nil
        return .bytes(shape: shape, sha256: try #require(json["sha256"] as? String), floats: floats)
    }

    /// The bytes of input number `k` by the file's rule.
    func bytes(ofInput k: Int, shape: Tensor.Shape) throws -> Data {
        let count = shape.dimensions.reduce(1, *)
        let values = (0..<count).map { (7 * $0 + 13 * k) % 251 }
        switch inputTypes[k] {
        case "uint8": return Data(values.map { UInt8($0) })
        case "int8": return Data(elements: values.map { Int8($0 - 125) })
        case "int16": return Data(elements: values.map { Int16(($0 - 125) * 200) })
        case "int32": return Data(elements: values.map { Int32($0 - 125) })
        case "int64": return Data(elements: values.map { Int64($0 - 125) })
        case "float32": return Data(elements: values.map { Float($0 - 125) / 128 })
        case "bool": return Data(values.map { UInt8($0 % 2) })
        default: throw CocoaError(.featureUnsupported)
        }
    }
}

extension GoldenRun.Output {
    init(_ tensor: Tensor) throws {
        let shape = tensor.shape.dimensions
        self =
            try tensor.dataType == .string
            ? .strings(shape: shape, tensor.values(as: String.self))
            : .bytes(shape: shape, sha256: SHA256Sum.of(tensor.data), floats: nil)
    }
}

/// The system's `sha256sum`: the package's own hash has its own tests.
enum SHA256Sum {
    static func of(_ data: Data) throws -> String {
        let folder = try TemporaryFolder()
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [try folder.write(data, to: "data")]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output.prefix(64), as: UTF8.self)
    }
}

/// Runs a model on the inputs of a golden entry, through the interpreter or through a signature. Inputs and outputs are
/// in the order of the golden file.
protocol GoldenRunner {
    func prepare(_ golden: GoldenRun) throws
    func outputs() throws -> [Tensor]
}

extension GoldenRun {
    func runner(_ interpreter: Interpreter) throws -> any GoldenRunner {
        guard let signature else { return MainGolden(interpreter: interpreter) }
        return SignatureGolden(runner: try interpreter.signatureRunner(with: signature))
    }
}

private struct MainGolden: GoldenRunner {
    let interpreter: Interpreter

    func prepare(_ golden: GoldenRun) throws {
        for (index, shape) in golden.resizes { try interpreter.resizeInput(at: index, to: shape) }
        try interpreter.allocateTensors()
        for k in 0..<interpreter.inputTensorCount {
            if let strings = golden.strings["\(k)"] {
                try interpreter.copy(strings, toInputAt: k)
            } else if let numbers = golden.numbers["\(k)"] {
                try interpreter.copy(numbers, toInputAt: k)
            } else {
                let shape = try interpreter.inputDescription(at: k).shape
                try interpreter.copy(golden.bytes(ofInput: k, shape: shape), toInputAt: k)
            }
        }
    }

    func outputs() throws -> [Tensor] {
        try interpreter.invoke()
        return try (0..<interpreter.outputTensorCount).map { try interpreter.output(at: $0) }
    }
}

private struct SignatureGolden: GoldenRunner {
    let runner: SignatureRunner

    func prepare(_ golden: GoldenRun) throws {
        for (k, name) in runner.inputs.enumerated() {
            if let strings = golden.strings[name] {
                // Given without a shape: the model leaves it open.
                try runner.resizeInput(named: name, toShape: [1, strings.count])
                try runner.allocateTensors()
                try runner.copy(strings, toInputNamed: name)
            } else {
                let shape = try runner.inputDescription(named: name).shape
                try runner.copy(golden.bytes(ofInput: k, shape: shape), toInputNamed: name)
            }
        }
    }

    func outputs() throws -> [Tensor] {
        try runner.invoke(with: [:])
        return try runner.outputs.map { try runner.output(named: $0) }
    }
}
