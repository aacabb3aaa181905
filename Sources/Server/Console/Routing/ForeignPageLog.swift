import HearthConcurrency
import HearthHTTP
import HearthWire

/// Which pages sent forms that were refused as those of another site, so that the log names each once. Safe to call from any
/// thread.
final class ForeignPageLog: Sendable {
    /// Anybody can invent more.
    private static let limit = 16

    private let known = Lock(Set<String>())

    /// False if the page was noted before, or if there are too many.
    func note(_ page: String) -> Bool {
        known.withLock { $0.count < Self.limit && $0.insert(page).inserted }
    }
}

extension PageServer {
    /// Refuses a form of a page that is not of this console. Behind a proxy that the server does not know, its own pages look
    /// like that: then the settings are named.
    func foreignPage(_ head: RequestHead) -> Response {
        let hint = proxyHint(head)
        if let hint, foreignPageLog.note(hint) {
            environment.log("\(head.id) a form of the console was refused: \(hint)")
        }
        return withoutMenu("Not a page of this console", status: 403) {
            p(.class("problem"), Attribute("role", "alert")) { Refusal.foreignPage.text }
            if let hint {
                p {
                    strong { "Is there a proxy in front of the server? " }; hint
                }
            }
        }
    }

    /// Nil for a request without a page's address, which no browser sends from a page of its own.
    private func proxyHint(_ head: RequestHead) -> String? {
        guard let page = head.headers["Origin"].flatMap(WebOrigin.init), page.text.utf8.count <= 300 else { return nil }
        let own = origin(head)
        guard page != own else { return nil }
        return """
            The browser says that the page came from \(page.text), and the server takes its own address for \(own.text). If \
            \(page.text) is the server's address for browsers, set public-url (admin-url for a console with an address of its own) to \
            it, or name the proxy in trusted-proxies and let it send X-Forwarded-Host and X-Forwarded-Proto.
            """.printable
    }
}
