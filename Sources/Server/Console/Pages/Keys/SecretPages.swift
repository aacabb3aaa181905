import HearthCalls
import HearthHTTP
import HearthWire

/// What the server shows once: a new key or token, with buttons that copy and save it. No answer here may be stored:
/// all have `no-store`, and the secret is in no address.
enum SecretPages {
    static let routes: [ConsoleRoute] = [.action("secret-file", holdsSecret: true, submit: file)]

    /// A kind of secret, and the file that it becomes.
    enum Kind: String {
        case account, token
    }

    /// The page after a key file or token was made.
    ///
    /// - Parameters:
    ///   - text: the secret as a person would keep it.
    ///   - name: the file's name without its ending.
    static func page(
        _ title: String, _ request: PageRequest, _ kind: Kind, _ text: String, name: String, next: (String, Link)
    ) -> Page {
        Page(title, request.project.isEmpty ? .server : .keys, above: [(next.0, next.1)]) {
            warning
            copied(text)
            form(request, request.site.link("secret-file")) {
                hidden("kind", kind.rawValue)
                hidden("text", text)
                hidden("name", name)
                button(.class("primary")) { "Save as \(fileName(name, kind))" }
            }
            p { a(next.1) { "I have saved it: back to \(next.0.lowercased())" } }
        }
    }

    /// The page after an API key was made.
    static func page(_ title: String, _ request: PageRequest, _ key: KeyBodies.APIKey) -> Page {
        let back = request.link("keys")
        return Page(title, .keys, above: [("Keys and tokens", back)]) {
            warning
            copied(key.key ?? "")
            h2 { "The file for the app" }
            p {
                "Build "
                code { "GoogleService-Info.plist" }
                " into the app in place of Firebase's file: it has the key and the server's address."
            }
            form(request, request.link("keys", "plist")) {
                hidden("key", key.key ?? "")
                if let ids = key.bundleIds, ids.count > 1 {
                    Field.choice("bundle-id", "App", ids.map { ($0, $0) }, selected: ids[0])
                }
                button(.class("primary")) { "Save as GoogleService-Info.plist" }
            }
            p { a(request.link("keys", "apps", key.id)) { "I have saved it: to the key" } }
        }
    }

    private static var warning: Markup {
        p(.class("hint"), Attribute("role", "status")) {
            "The server shows this only now. Save it, and keep it like a password. If it is lost, revoke it and make another."
        }
    }

    private static func copied(_ text: String) -> Markup {
        div(.class("copied")) {
            pre { code { text } }
            button(.type("button"), .class("copy"), Attribute("data-copy", text)) { "Copy" }
        }
    }

    private static func hidden(_ name: String, _ value: String) -> Markup {
        input(.type("hidden"), .name(name), .value(value), Attribute("autocomplete", "off"))
    }

    /// Gives what a page of this session showed back as a file. The text was read and written again, so this answers
    /// nothing but keys and tokens.
    private static func file(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let text = request.fields.raw("text") ?? ""
        guard let kind = Kind(rawValue: request.fields["kind"]) else { throw unreadable }
        switch kind {
        case .account:
            guard let key = try? WireJSON.decode(ServiceAccountKey.self, from: Array(text.utf8)) else {
                throw unreadable
            }
            return .response(
                attachment(
                    try CredentialsFile.serviceAccount(key), name: fileName(request.fields["name"], kind),
                    type: "application/json"))
        case .token:
            let isToken = text.utf8.count <= 200 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard isToken else { throw unreadable }
            return .response(
                attachment(
                    Array((text + "\n").utf8), name: fileName(request.fields["name"], kind),
                    type: "application/octet-stream"))
        }
    }

    private static var unreadable: APIFailure {
        APIFailure(status: 400, message: "This is no key or token. Make another one, and save it from its page.")
    }

    private static func fileName(_ name: String, _ kind: Kind) -> String {
        let plain = name.utf8.filter { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        let stem = String(decoding: plain.prefix(60), as: UTF8.self)
        return (stem.isEmpty ? kind.rawValue : stem) + (kind == .account ? ".json" : ".token")
    }

    static func attachment(_ bytes: [UInt8], name: String, type: String) -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\"",
                "Cache-Control": "no-store",
            ], body: .bytes(bytes))
    }
}
