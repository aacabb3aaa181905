import HearthHTTP
import HearthRouting

/// Where people sign in and out.
struct SignInPages {
    private let console: PageServer

    init(_ console: PageServer) { self.console = console }

    /// The page that a request asked for, to return to after the sign-in. Only a path inside the console counts, so no
    /// one can make the sign-in lead elsewhere. Nil for the start page.
    static func back(to head: RequestHead, _ site: Site) -> String? {
        guard let below = site.segmentsBelow(head.segments) else { return nil }
        let path = below.map(URLText.encode).joined(separator: "/")
        guard !path.isEmpty else { return nil }
        let query = URLText.encode(head.query.map { ($0.name, $0.value) })
        return query.isEmpty ? path : path + "?" + query
    }

    func show(_ head: RequestHead) -> Response { page(head, back: head.query.first("to") ?? "") }

    private func page(_ head: RequestHead, back: String, problem: String? = nil, status: Int = 200) -> Response {
        let content = Markup.element(
            "main", [.class("sign-in"), .id("main")],
            section {
                h1 { "Sign in" }
                if let problem { p(.class("problem"), Attribute("role", "alert")) { problem } }
                p {
                    "In a terminal, run "
                    code { "hearth console" }
                    ". It opens this page with a link that works once. Or paste an admin token."
                }
                form(back)
            })
        let document = Frame.document(
            title: "Sign in", site: console.site, scripts: ["sign-in.js"], formToken: nil, body: content)
        return PageServer.html(document, status: status)
    }

    @MarkupBuilder
    private func form(_ back: String) -> Markup {
        Markup.element(
            "form",
            [
                Attribute("method", "post"), .action(console.site.link("sign-in")), Attribute("data-sign-in", if: true),
            ],
            .joined {
                label(for: "proof") { "Sign-in code or admin token" }
                input(
                    .id("proof"), .name("proof"), .type("password"), Attribute("autocomplete", "off"), .required,
                    Attribute("autofocus", if: true), Attribute("spellcheck", "false"))
                input(.type("hidden"), .name("to"), .value(back))
                button(.class("primary")) { "Sign in" }
            })
    }

    func submit(_ head: RequestHead, _ fields: FormFields) -> Response {
        do {
            let (secret, _) = try console.environment.server.access.signIn(fields["proof"], head)
            console.knownSessions.note(secret, isSession: true)
            let origin = console.origin(head)
            var response = PageServer.redirect(console.site.link(back: fields["to"]))
            response.headers["Set-Cookie"] = SessionCookie.field(
                secret, seconds: console.environment.sessionSeconds + ConsoleLifetimes.knownSeconds, origin)
            return response
        } catch let refusal as ConsoleAccess.Refusal {
            var response = page(head, back: fields["to"], problem: refusal.message, status: refusal.status)
            response.headers["Retry-After"] = refusal.retryAfterSeconds.map(String.init)
            return response
        } catch {
            return console.failure(head, error)
        }
    }

    func signOut(_ head: RequestHead, _ fields: FormFields) -> Response {
        let origin = console.origin(head)
        var response = PageServer.redirect(console.site.link("sign-in"))
        guard let secret = SessionCookie.secret(in: head, origin) else { return response }
        guard FormToken.isValid(fields[FormToken.field], secret: secret) else { return PageServer.refusal(.oldForm) }
        do {
            if let session = try console.session(secret) {
                try console.environment.server.access.signOut(session)
                console.knownSessions.note(secret, isSession: false)
            }
            response.headers["Set-Cookie"] = SessionCookie.removal(origin)
            return response
        } catch {
            return console.failure(head, error)
        }
    }
}

extension Site {
    /// The link for a text made by `SignInPages.back`. It is made of segments and items again, so it stays inside the console
    /// whatever the text is.
    func link(back text: String) -> Link {
        let start = link("")
        guard text.utf8.count <= 1000 else { return start }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/").map { URLText.decode($0) }
        let items = parts.count > 1 ? URLText.decodeForm(Array(parts[1].utf8)) : []
        guard segments.allSatisfy({ $0 != nil && $0 != "." && $0 != ".." }), let items else { return start }
        // Links get their guard against dots anew.
        let known = segments.compactMap(\.self).map(URLText.withoutDotGuard)
        return link(known.isEmpty ? [""] : known).with(items.map { ($0.name, $0.value) })
    }
}
