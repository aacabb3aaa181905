import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

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
