import HearthConfiguration
import HearthCrypto
import HearthHTTP
import HearthWire

/// What a device is answered that asks for its configuration: a `ConfigFetchResponse`, put together from pieces that were
/// made when the template and the experiments were.
struct ConfigFetchAnswer {
    let state: ConfigFetchResponse.State
    let templateVersion: Int64
    /// In order of their keys.
    var entries: [ConfigEntry] = []
    /// What the device is told of each experiment that it takes part in, as JSON; nil where there is no template.
    var experiments: [[UInt8]]?
    /// Those that changed something: their keys.
    var rollouts: [String: [String]] = [:]

    /// Always 200: mobile clients take nothing else. What the device has already is `NO_CHANGE`, with all but the entries.
    func response(to head: RequestHead, projectNumber: Int64) throws -> Response {
        let rest = try rest()
        let etag = etag(rest, projectNumber: projectNumber)
        let isKnown = head.headers["If-None-Match"] == etag
        var response = Response.json(isKnown ? json(.noChange, nil, rest) : json(state, shownEntries, rest))
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Of what this device gets, not of the template: a device may move into a condition while the template stays.
    private func etag(_ rest: [UInt8], projectNumber: Int64) -> String {
        var parts = Array(state.rawValue.utf8) + rest
        parts.reserveCapacity(parts.count + entries.count * 8)
        // Not the entries themselves, which may be a megabyte.
        for entry in entries { withUnsafeBytes(of: entry.digest) { parts.append(contentsOf: $0) } }
        let digest = SHA256Hasher.hash(parts).bytes.prefix(4)
        let number = Int32(bitPattern: digest.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        return "etag-\(projectNumber)-firebase-fetch-\(number)"
    }

    private var shownEntries: [ConfigEntry]? { state == .noTemplate ? nil : entries }

    private func json(_ state: ConfigFetchResponse.State, _ entries: [ConfigEntry]?, _ rest: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((entries ?? []).reduce(64 + rest.count) { $0 + $1.json.count + 1 })
        text.append(contentsOf: "{".utf8)
        if let entries {
            text.append(contentsOf: #""entries":{"#.utf8)
            Self.append(entries.lazy.map(\.json), to: &text)
            text.append(contentsOf: "},".utf8)
        }
        text.append(contentsOf: #""state":"#.utf8)
        JSONText.append(state.rawValue, to: &text)
        text.append(contentsOf: rest)
        return text
    }

    /// What comes behind the state, to the end of the object.
    private func rest() throws -> [UInt8] {
        var text: [UInt8] = []
        text.append(contentsOf: #","templateVersion":"\#(templateVersion)""#.utf8)
        if let experiments {
            text.append(contentsOf: #","experimentDescriptions":["#.utf8)
            Self.append(experiments, to: &text)
            text.append(UInt8(ascii: "]"))
        }
        if !rollouts.isEmpty {
            let metadata = rollouts.sorted { $0.key < $1.key }.map {
                ConfigFetchResponse.RolloutMetadata(
                    rolloutId: $0.key, variantId: "1", affectedParameterKeys: $0.value)
            }
            text.append(contentsOf: #","rolloutMetadata":"#.utf8)
            text.append(contentsOf: try WireJSON.encode(metadata))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ items: some Sequence<[UInt8]>, to text: inout [UInt8]) {
        var isFirst = true
        for item in items {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text.append(contentsOf: item)
        }
    }
}
