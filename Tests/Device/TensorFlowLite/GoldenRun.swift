import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// One entry of `goldens/raw_tensors.json`: a model, inputs made by the rule stated there, and hashes of its outputs.
struct GoldenRun: Sendable, CustomTestStringConvertible {
    let model: String
    let signature: String?
    let inputTypes: [String]
    /// Numbers given outright, by input.
    let inputValues: [Int: [Int32]]
    let resizes: [Int: Tensor.Shape]
    let outputShapes: [[Int]]
    let outputHashes: [String]

    var modelURL: URL { TestPaths.shared.appendingPathComponent(model) }
    var testDescription: String { [model, signature].compactMap(\.self).joined(separator: " ") }

    /// All runs of the main subgraph that end in numbers: no strings, no state, no missing operators.
    static func all() throws -> [GoldenRun] {
        guard TestPaths.hasSharedData else { return [] }
        let file = TestPaths.shared.appendingPathComponent("goldens/raw_tensors.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let runs = try #require(json?["runs"] as? [[String: Any]])
        return runs.compactMap(GoldenRun.init).filter { run in
            let isStateful = run.model.contains("lstm")
            let hasStrings = run.inputTypes.contains("string")
            let isOfMainSubgraph = !["mul", "sub"].contains(run.signature)
            return !isStateful && !hasStrings && isOfMainSubgraph
        }
    }

    private init?(_ json: [String: Any]) {
        guard let model = json["model"] as? String, json["fails"] == nil,
            let inputs = json["inputs"] as? [[String: Any]],
            let outputs = (json["outputs"] as? [String: Any])?["xnnpack"] as? [[String: Any]]
        else { return nil }
        self.model = model
        signature = json["signature"] as? String
        inputTypes = inputs.compactMap { $0["dtype"] as? String }
        inputValues = Self.byInput(json["input_values"]) { ($0 as? [Int])?.map(Int32.init) }
        resizes = Self.byInput(json["resize_inputs_to"]) { ($0 as? [Int]).map { Tensor.Shape($0) } }
        outputShapes = outputs.compactMap { $0["shape"] as? [Int] }
        outputHashes = outputs.compactMap { $0["sha256"] as? String }
    }

    private static func byInput<Value>(_ json: Any?, _ value: (Any) -> Value?) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for (key, entry) in json as? [String: Any] ?? [:] {
            if let index = Int(key), let value = value(entry) { values[index] = value }
        }
        return values
    }

    /// The interpreter's indexes in the order of the golden: names in alphabetical order for a signature.
    func order(in graph: ModelGraph) throws -> (inputs: [Int], outputs: [Int]) {
        let main = try #require(graph.subgraphs.first)
        guard let signature else { return (Array(main.inputs.indices), Array(main.outputs.indices)) }
        let found = try #require(graph.signatures.first { $0.key == signature })
        #expect(found.subgraph == 0)
        func indexes(_ named: [ModelGraph.NamedTensor], in tensors: [Int]) -> [Int] {
            named.sorted { $0.name < $1.name }.compactMap { tensors.firstIndex(of: $0.tensor) }
        }
        return (indexes(found.inputs, in: main.inputs), indexes(found.outputs, in: main.outputs))
    }

    /// The bytes of input number `k`.
    func input(_ k: Int, like tensor: Tensor) throws -> Data {
        if let values = inputValues[k] { return Data(elements: values) }
        let count = tensor.shape.dimensions.reduce(1, *)
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

/// The system's `sha256sum`: the package's own hash has its own tests.
enum SHA256Sum {
    static func of(_ blobs: [Data]) throws -> [String] {
        let folder = try TemporaryFolder()
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = try blobs.enumerated().map { try folder.write($1, to: "\($0)") }
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map { String($0.prefix(64)) }
    }
}
