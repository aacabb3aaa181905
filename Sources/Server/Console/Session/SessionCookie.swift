import HearthCrypto
import HearthHTTP

/// The cookie that holds a session's secret.
enum SessionCookie {
    /// On https the prefix `__Host-` keeps other hosts of the same domain from setting it. Browsers accept that prefix on
    /// https only. They share cookies between all ports of a host, so on http the name has the port: two servers on one
    /// machine do not end each other's sessions.
    private static func name(_ kind: String, _ origin: WebOrigin) -> String {
        guard !origin.isSecure else { return "__Host-hearth-\(kind)" }
        let port = origin.host.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        return "hearth-\(kind)-\(port)"
    }

    private static let session = "session"

    /// The secret in the request; nil without one.
    static func secret(in head: RequestHead, _ origin: WebOrigin) -> String? { value(session, in: head, origin) }

    /// Another cookie of the console.
    static func value(_ kind: String, in head: RequestHead, _ origin: WebOrigin) -> String? {
        let start = name(kind, origin) + "="
        for header in head.headers.values("Cookie") {
            for item in header.split(separator: ";") {
                let item = item.drop { $0 == " " }
                if item.hasPrefix(start) { return String(item.dropFirst(start.count)) }
            }
        }
        return nil
    }

    /// The field that gives the browser the secret. `Lax`: links from elsewhere may open pages, and forms from elsewhere
    /// come without it.
    static func field(_ secret: String, seconds: Int64, _ origin: WebOrigin) -> String {
        field(session, secret, seconds: seconds, origin)
    }

    /// The field for another cookie of the console.
    static func field(_ kind: String, _ value: String, seconds: Int64, _ origin: WebOrigin) -> String {
        "\(name(kind, origin))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + secure(origin)
    }

    /// The field that makes the browser forget it.
    static func removal(_ origin: WebOrigin) -> String {
        "\(name(session, origin))=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + secure(origin)
    }

    private static func secure(_ origin: WebOrigin) -> String { origin.isSecure ? "; Secure" : "" }
}

/// The token in the forms of a session. Another site cannot read it, so it cannot make a form that the server accepts.
///
/// Each page has another text for it: a random mask, then the token under that mask. So the sizes of compressed pages
/// reveal nothing about it (the attack BREACH).
enum FormToken {
    static let field = "form-token"
    static let header = "X-Hearth-Form-Token"

    /// - Parameter secret: the session's secret, which the token does not reveal.
    static func text(_ secret: String) -> String {
        let tag = key(secret).tag(for: message)
        let mask = SecureRandom.bytes(tag.count)
        return Base64URL.encode(mask + zip(tag, mask).map { $0 ^ $1 })
    }

    static func isValid(_ text: String, secret: String) -> Bool {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count % 2 == 0 else { return false }
        let (mask, rest) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2))
        return key(secret).isValid(zip(rest, mask).map { $0 ^ $1 }, for: message)
    }

    private static func key(_ secret: String) -> HMACSHA256 { HMACSHA256(key: Array(secret.utf8)) }
    private static let message = Array("console form".utf8)
}
