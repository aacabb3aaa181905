package import HearthHTTP

/// Lets web pages of other origins call the routes of devices (CORS, as in the Fetch standard).
///
/// These routes need an API key and a token that the page itself sends. They need no cookies, and nothing else that a
/// browser adds by itself. So a page can do no more than any other program, and the answers do not allow credentials.
/// All other routes lack these fields, so browsers hide their answers from pages of other origins.
package struct CrossOrigin {
    private let origins: AllowedOrigins

    /// How long a browser may remember the answer to a preflight; browsers have their own lower limits.
    static let preflightSeconds = 86_400

    /// The fields that Firebase's web clients send, and those in which a device describes itself.
    static let requestFields = [
        "Accept", "Authorization", "Content-Encoding", "Content-Type", "If-None-Match", "If-Range", "Range",
        "X-Accept-Response-Streaming", "X-Firebase-Client", "X-Firebase-RC-Fetch-Type", "X-Goog-Api-Client",
        "X-Goog-Api-Key", "X-Goog-Firebase-If-None-Match", "X-Goog-Firebase-Installations-Auth",
        "X-Google-GFE-Can-Retry", "X-Hearth-App-Version", "X-Hearth-Country", "X-Hearth-Language", "X-Hearth-OS",
        "X-Hearth-Tags",
    ]

    /// The fields of an answer that a page may read, besides those that it always may.
    static let answerFields = [
        "Accept-Ranges", "Content-Range", "ETag", "Retry-After", "X-Hearth-Experiment", "X-Hearth-Model-Version",
    ]

    package init(_ origins: AllowedOrigins) { self.origins = origins }

    /// The routes, open to those pages, and answers to the preflights of browsers.
    package func allowing(_ routes: [Route]) -> [Route] {
        guard !origins.names.isEmpty else { return routes }
        let fields = Dictionary(uniqueKeysWithValues: origins.names.map { ($0, Self.fields(for: $0)) })
        let isAny = origins.isAny
        let open = routes.map { route in
            route.observed { head in
                guard let origin = head.headers["Origin"] else { return }
                head.notes.answerFields = fields[isAny ? "*" : origin] ?? ["Vary": "Origin"]
            }
        }
        return open + preflights(routes)
    }

    /// One for each path, encoded in advance for each origin: a browser sends one before nearly every first call.
    private func preflights(_ routes: [Route]) -> [Route] {
        let isAny = origins.isAny
        return Dictionary(grouping: routes, by: \.name).sorted { $0.key < $1.key }.map { name, routes in
            let methods = routes.map(\.method.rawValue).sorted()
            let answers = Dictionary(
                uniqueKeysWithValues: origins.names.map { ($0, Self.preflight(for: $0, methods).forManyRequests) })
            let refusal = Response(status: 204, headers: ["Vary": "Origin"]).forManyRequests
            return Route(.options, name) { head, _ in
                .answer(answers[isAny ? "*" : head.headers["Origin"] ?? ""] ?? refusal)
            }
        }
    }

    private static func preflight(for origin: String, _ methods: [String]) -> Response {
        var headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": methods.joined(separator: ", "),
            "Access-Control-Allow-Headers": requestFields.joined(separator: ", "),
            "Access-Control-Max-Age": String(preflightSeconds),
        ]
        if origin != "*" { headers["Vary"] = "Origin" }
        return Response(status: 204, headers: headers)
    }

    private static func fields(for origin: String) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": answerFields.joined(separator: ", "),
        ]
        // A cache must not give one page's answer to another page.
        if origin != "*" { headers["Vary"] = "Origin" }
        return headers
    }
}

/// The web pages that may call the routes of devices, by their origins: scheme, host, and port if it is not the
/// scheme's default.
package struct AllowedOrigins: Sendable, Hashable, CustomStringConvertible {
    /// Pages of all origins.
    package static let any = AllowedOrigins(names: ["*"])
    package static let none = AllowedOrigins(names: [])

    private static let wildcard = "*"

    let names: [String]

    private init(names: [String]) { self.names = names }

    /// Parses `*`, or origins such as `https://app.example,capacitor://localhost`; an empty text means none. Nil for a
    /// text that no browser sends as an origin.
    package init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { text in
                let rest = text.drop { $0 == " " }
                return String(rest[..<(rest.lastIndex { $0 != " " }.map(rest.index(after:)) ?? rest.startIndex)])
            }
        guard text.contains(where: { $0 != " " }) else {
            self = .none
            return
        }
        guard names == [Self.wildcard] || names.allSatisfy(Self.isOrigin) else { return nil }
        self.names = names
    }

    var isAny: Bool { names == [Self.wildcard] }

    /// The initializer can parse it.
    package var description: String { names.joined(separator: ",") }

    /// As browsers write it (RFC 6454, 6.2): lower case, without a path or even a slash. Any scheme, because apps that
    /// show their own pages have their own schemes.
    private static func isOrigin(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), isScheme(text[..<mark.lowerBound]) else { return false }
        let rest = text[mark.upperBound...]
        let end =
            rest.first == "["
            ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":") ?? rest.endIndex
        guard let end, isHost(rest[..<end]) else { return false }
        return end == rest.endIndex || rest[end] == ":" && isPort(rest[end...].dropFirst(), text[..<mark.lowerBound])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        guard text.first == "[" else {
            return !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
        }
        let address = text.dropFirst().dropLast().utf8
        return address.count(where: { $0 == UInt8(ascii: ":") }) >= 2
            && address.allSatisfy { (0x30...0x3A).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Browsers leave out the scheme's default port.
    private static func isPort(_ text: Substring, _ scheme: Substring) -> Bool {
        guard let port = UInt16(text), port > 0, String(port) == text else { return false }
        return port != (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
