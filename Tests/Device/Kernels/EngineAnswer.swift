import Foundation
import HearthKernels
import HearthModelFile
import HearthTestSupport

/// A model of one operator with state, with inputs and what the engine's own interpreter answered to them in
/// runs that follow one another. A reset brings the first answer back.
struct EngineAnswer: Decodable, Sendable {
    let inputShape: [Int]
    let outputShape: [Int]
    let isFloat: Bool
    // As arrays, which leak checkers can follow from static variables; not so `Data`.
    private let inputBytes: [[UInt8]]
    private let outputBytes: [[UInt8]]

    var inputs: [Data] { inputBytes.map { Data($0) } }
    var outputs: [Data] { outputBytes.map { Data($0) } }

    private enum CodingKeys: CodingKey {
        case inputShape, outputShape, isFloat, inputs, outputs
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inputShape = try container.decode([Int].self, forKey: .inputShape)
        outputShape = try container.decode([Int].self, forKey: .outputShape)
        isFloat = try container.decode(Bool.self, forKey: .isFloat)
        inputBytes = try container.decode([Data].self, forKey: .inputs).map(Array.init)
        outputBytes = try container.decode([Data].self, forKey: .outputs).map(Array.init)
    }

    /// LSTM, RNN, SVDF, and the first two over sequences.
    static let codes: Set<Int> = [16, 24, 27, 35, 44]

    static let folder = TestPaths.fixtures.appendingPathComponent("recurrent")

    /// By the model's name.
    static let all: [String: EngineAnswer] = {
        let data = try? Data(contentsOf: folder.appendingPathComponent("expected.json"))
        return data.flatMap { try? JSONDecoder().decode([String: EngineAnswer].self, from: $0) } ?? [:]
    }()

    static func named(_ name: String) throws -> EngineAnswer {
        guard let answer = all[name] else { throw CocoaError(.fileNoSuchFile) }
        return answer
    }

    static func model(_ name: String) throws -> ModelFile {
        try ModelFile(ModelBytes(contentsOfFile: folder.appendingPathComponent("\(name).tflite").path))
    }

    /// The operator, ready for the inputs' shape.
    static func prepared(_ name: String) throws -> RecurrentOperator {
        let kernel = try RecurrentOperator(model(name), subgraph: 0, operator: 0)
        _ = try kernel.prepare(inputShape: named(name).inputShape)
        return kernel
    }
}

extension RecurrentOperator {
    /// One run over copies at aligned addresses.
    func answer(to input: Data, outputBytes: Int) throws -> Data {
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 64)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        source.copyBytes(from: input)
        target.initializeMemory(as: UInt8.self, repeating: 0xA5)
        try run(input: UnsafeRawBufferPointer(source), output: target)
        return Data(target)
    }
}

extension Data {
    var floats: [Float] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
        }
    }
}
