import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The admin tokens of a project, and for operators those of the whole server.
enum TokenPages {
    private static let roots = ["projects/{project}/keys/tokens", "server/tokens"]

    static let routes: [ConsoleRoute] =
        roots.flatMap { root in
            ConsoleRoute.form(root + "/new", show: newToken, submit: create)
                + ConsoleRoute.form(root + "/{token}/revoke", show: revocation, submit: revoke)
        } + [ConsoleRoute.page("server/tokens", serverList)]

    static func all(_ request: PageRequest) throws -> [KeyBodies.AdminToken] {
        try request.api.call(calls(request).list).adminTokens ?? []
    }

    private static func isOfServer(_ request: PageRequest) -> Bool { request.project.isEmpty }

    private static func calls(_ request: PageRequest) -> AdminTokenCalls {
        isOfServer(request) ? .ofServer : .ofProject
    }

    private static func list(_ request: PageRequest) -> Link {
        isOfServer(request) ? request.site.link("server", "tokens") : request.link("keys")
    }

    private static func link(_ request: PageRequest, _ segments: String...) -> Link {
        let root = isOfServer(request) ? ["server", "tokens"] : ["projects", request.project, "keys", "tokens"]
        return request.site.link(root + segments)
    }

    private static func above(_ request: PageRequest) -> [(text: String, link: Link)] {
        isOfServer(request)
            ? [("Server", request.site.link("server")), ("Tokens of the whole server", list(request))]
            : [("Keys and tokens", list(request))]
    }

    private static func area(_ request: PageRequest) -> Page.Area { isOfServer(request) ? .server : .keys }

    private static func option(_ request: PageRequest) -> String { isOfServer(request) ? " --server" : "" }

    // MARK: Lists

    private static func serverList(_ request: PageRequest) throws -> Page {
        let tokens = try all(request)
        return Page(
            "Tokens of the whole server", .server, above: [("Server", request.site.link("server"))],
            commands: ["hearth keys token list --server"]
        ) {
            p { "These tokens are valid in all projects. One with the role owner may do all that an operator may do." }
            table(request, tokens)
        }
    }

    /// The part of the list of keys.
    @MarkupBuilder
    static func section(_ request: PageRequest, _ tokens: [KeyBodies.AdminToken]) -> Markup {
        h2 { "Admin tokens of scripts" }
        table(request, tokens)
    }

    @MarkupBuilder
    private static func table(_ request: PageRequest, _ tokens: [KeyBodies.AdminToken]) -> Markup {
        if tokens.isEmpty {
            p(.class("empty")) { "There is no token. A script or curl may use one in place of a key file." }
        } else {
            DataTable("Admin tokens", ["Name", "Id", "Role", "Made by", "Created", "State", "Action"]).rows(tokens) {
                token in
                [
                    .text(token.name), code { token.id }, .text(token.role),
                    .text(ServiceAccountName.short(token.createdBy, project: request.project)),
                    Times.moment(token.createTime), KeyState.badge(token.endTime, hasEnded: token.ended == true),
                    token.ended == true
                        ? .empty
                        : a(link(request, token.id, "revoke"), .label("Revoke the token \(token.name)")) { "Revoke" },
                ]
            }
        }
        div(.class("actions")) { a(link(request, "new"), .class("button")) { "Create an admin token" } }
    }

    // MARK: New tokens

    private static let lifetimes: [(value: String, text: String)] = [
        ("1", "1 day"), ("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "1 year"),
        ("", "without an end"),
    ]

    private static func newToken(_ request: PageRequest) throws -> Page {
        // Whoever may not see the tokens gets the refusal, not a form.
        _ = try all(request)
        let fields = request.fields
        return Page(
            isOfServer(request) ? "Create a token of the whole server" : "Create an admin token", area(request),
            above: above(request),
            commands: [
                "hearth keys token create deploy --role publisher --lifetime 90d\(option(request)) --output deploy.token"
            ]
        ) {
            form(request, link(request, "new")) {
                SingleUseForms.markup
                Field.text("name", "Name", value: fields["name"], hint: "For lists, such as deploy.", .required)
                Field.choice(
                    "role", "Role", RoleChoice.options, selected: fields.text("role") ?? Role.publisher.rawValue)
                Field.choice(
                    "days", "Valid for", lifetimes, selected: fields.raw("days") ?? "90",
                    hint: "Prefer a token that ends: one that leaks is then worth little.")
                button(.class("primary")) { "Create the token" }
            }
        }
    }

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let days = try request.fields.number("days", "The number of days")
        guard days.map({ (1...100_000).contains($0) }) ?? true else {
            throw APIFailure(status: 400, message: "A token is valid for 1 to 100000 days, or without an end.")
        }
        let token = try request.api.call(
            calls(request).create,
            body: KeyBodies.CreateAdminTokenRequest(
                name: request.fields["name"], role: request.fields["role"],
                lifetimeSeconds: days.map { Int64($0) * 86_400 }))
        return .page(
            SecretPages.page(
                "New token \(token.name)", request, .token, token.token ?? "", name: token.name,
                next: (isOfServer(request) ? "Tokens of the whole server" : "Keys and tokens", list(request))))
    }

    // MARK: Revoking

    private static func revocation(_ request: PageRequest) throws -> Page {
        let id = request.path["token"]
        guard let token = try all(request).first(where: { $0.id == id }) else {
            throw APIFailure(status: 404, message: "There is no admin token '\(id)' here.")
        }
        let sessions = try AccountPages.sessions(request).filter { $0.actor == "token:\(id)" }
        return try Page(
            "Revoke the token \(token.name)", area(request), above: above(request),
            commands: [ShellText.command("hearth", "keys", "token", "revoke", id) + option(request)]
        ) {
            p {
                strong { "Scripts that use this token (\(token.role)) are refused, immediately. " }
                if !sessions.isEmpty {
                    "\(sessions.count == 1 ? "One browser is" : "\(sessions.count) browsers are") signed in to the console "
                        + "with it; these sessions end. "
                }
                "A revoked token cannot be made valid again."
            }
            try SharedLinkPages.ending(madeBy: "token:\(id)", request)
            if request.viewer.actor == "token:\(id)" {
                p(.class("hint")) { "You are signed in with this token: you will be signed out." }
            }
            form(request, link(request, id, "revoke")) {
                button(.class("danger")) { "Revoke the token \(token.name)" }
            }
        }
    }

    private static func revoke(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        try request.api.send(calls(request).revoke, request.path["token"])
        return .redirect(list(request).done(.revoked))
    }
}
