public import Foundation

/// A model of one operator with state, with inputs and what the engine's own interpreter answered to them in
/// runs that follow one another. A reset brings the first answer back.
public struct ReferenceRun: Decodable, Sendable {
    public let inputShape: [Int]
    public let outputShape: [Int]
    public let isFloat: Bool
    // As arrays, which leak checkers can follow from static variables; not so `Data`.
    private let inputBytes: [[UInt8]]
    private let outputBytes: [[UInt8]]

    public var inputs: [Data] { inputBytes.map { Data($0) } }
    public var outputs: [Data] { outputBytes.map { Data($0) } }

    private enum CodingKeys: CodingKey {
        case inputShape, outputShape, isFloat, inputs, outputs
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inputShape = try container.decode([Int].self, forKey: .inputShape)
        outputShape = try container.decode([Int].self, forKey: .outputShape)
        isFloat = try container.decode(Bool.self, forKey: .isFloat)
        inputBytes = try container.decode([Data].self, forKey: .inputs).map(Array.init)
        outputBytes = try container.decode([Data].self, forKey: .outputs).map(Array.init)
    }

    public static let folder = TestPaths.fixtures.appendingPathComponent("recurrent")

    /// By the model's name.
    public static let all: [String: ReferenceRun] = {
        let data = try? Data(contentsOf: folder.appendingPathComponent("expected.json"))
        return data.flatMap { try? JSONDecoder().decode([String: ReferenceRun].self, from: $0) } ?? [:]
    }()

    public static func named(_ name: String) throws -> ReferenceRun {
        guard let answer = all[name] else { throw CocoaError(.fileNoSuchFile) }
        return answer
    }
}
