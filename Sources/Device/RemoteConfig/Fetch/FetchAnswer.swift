import Foundation
import HearthWire

/// The body of an answer, as much of it as can be read. The server is not trusted.
struct FetchAnswer: Decodable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// Nil for states that are not known; nothing changes then.
    var state: ConfigFetchResponse.State?
    var templateVersion = "0"
    var experiments: [ConfigExperiment] = []
    var rollouts: [ConfigFetchResponse.RolloutMetadata] = []
    /// A refusal inside of an answer that looks like a success.
    var refusal: String?

    private enum CodingKeys: String, CodingKey {
        case entries, state, templateVersion, experimentDescriptions, rolloutMetadata, error
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        entries = try values.decodeIfPresent([String: String].self, forKey: .entries) ?? [:]
        state = (try? values.decode(String.self, forKey: .state)).flatMap(ConfigFetchResponse.State.init)
        if let text = try? values.decode(String.self, forKey: .templateVersion), Int64(text) != nil {
            templateVersion = text
        } else if let number = try? values.decode(Int64.self, forKey: .templateVersion) {
            templateVersion = "\(number)"
        }
        experiments = Self.readable(values, .experimentDescriptions)
        rollouts = Self.readable(values, .rolloutMetadata)
        if values.allKeys == [.error] {
            refusal = (try? values.decode(ErrorEnvelope.Detail.self, forKey: .error))?.message ?? "no reason"
        }
    }

    /// Nil for bytes that are no object in JSON, and for entries that are not texts. No bytes are an answer without change.
    init?(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        guard let answer = try? WireJSON.decode(FetchAnswer.self, from: bytes) else { return nil }
        self = answer
    }

    /// The elements that have the known form: what somebody else's server adds must not cost the rest.
    private static func readable<Element: Decodable>(
        _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) -> [Element] {
        let elements = try? values.decode([Readable<Element>].self, forKey: key)
        return (elements ?? []).compactMap(\.value)
    }
}

private struct Readable<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}
