package import Foundation

/// A model of one operator with state, with inputs and what the engine's own interpreter answered to them in
/// runs that follow one another. A reset brings the first answer back.
package struct ReferenceRun: Decodable, Sendable {
    package let inputShape: [Int]
    package let outputShape: [Int]
    package let isFloat: Bool
    // As arrays, which leak checkers can follow from static variables; not so `Data`.
    private let inputBytes: [[UInt8]]
    private let outputBytes: [[UInt8]]

    package var inputs: [Data] { inputBytes.map { Data($0) } }
    package var outputs: [Data] { outputBytes.map { Data($0) } }

    private enum CodingKeys: CodingKey {
        case inputShape, outputShape, isFloat, inputs, outputs
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inputShape = try container.decode([Int].self, forKey: .inputShape)
        outputShape = try container.decode([Int].self, forKey: .outputShape)
        isFloat = try container.decode(Bool.self, forKey: .isFloat)
        inputBytes = try container.decode([Data].self, forKey: .inputs).map(Array.init)
        outputBytes = try container.decode([Data].self, forKey: .outputs).map(Array.init)
    }

    package static let folder = TestPaths.fixtures.appendingPathComponent("recurrent")

    /// By the model's name.
    package static let all: [String: ReferenceRun] = {
        let data = try? Data(contentsOf: folder.appendingPathComponent("expected.json"))
        return data.flatMap { try? JSONDecoder().decode([String: ReferenceRun].self, from: $0) } ?? [:]
    }()

    package static func named(_ name: String) throws -> ReferenceRun {
        guard let answer = all[name] else { throw CocoaError(.fileNoSuchFile) }
        return answer
    }
}
