import Foundation

/// The members of a token's header that matter here; others are ignored, as RFC 7515 asks.
struct JWTHeader: Codable {
    let alg: String
    let kid: String?
    let typ: String?
    let crit: [String]?

    /// The header's JSON, members in alphabetical order.
    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("a header of plain strings is always valid JSON")
        }
        return json
    }

    init(alg: String, kid: String?, typ: String?, crit: [String]?) {
        self.alg = alg
        self.kid = kid
        self.typ = typ
        self.crit = crit
    }

    /// Returns `nil` when `json` is not an object with a string `alg`.
    init?(json: [UInt8]) {
        guard let header = try? JSONDecoder().decode(JWTHeader.self, from: Data(json)) else { return nil }
        self = header
    }
}
