import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The service accounts of admin tools, and their keys.
enum AccountKeyPages {
    private static let root = "projects/{project}/keys/accounts"

    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(root + "/new", show: newAccount, submit: create)
        + ConsoleRoute.form(root + "/{email}", show: account, submit: changeRole)
        + [ConsoleRoute.action(root + "/{email}/keys", submit: addKey)]
        + ConsoleRoute.form(root + "/{email}/revoke", show: revocation, submit: revoke)
        + ConsoleRoute.form(root + "/{email}/keys/{key}/revoke", show: revocation, submit: revoke)

    static func all(_ request: PageRequest) throws -> [KeyBodies.ServiceAccount] {
        try request.api.call(AccountCalls.list).serviceAccounts ?? []
    }

    private static func found(_ request: PageRequest) throws -> KeyBodies.ServiceAccount {
        let email = ServiceAccountName.email(request.path["email"], project: request.project)
        guard let account = try all(request).first(where: { $0.email == email }) else {
            throw APIFailure(status: 404, message: "There is no service account '\(email)' in this project.")
        }
        return account
    }

    private static func name(_ account: KeyBodies.ServiceAccount, _ request: PageRequest) -> String {
        ServiceAccountName.short(account.email, project: request.project)
    }

    private static func role(_ account: KeyBodies.ServiceAccount) -> String {
        account.operator == true ? "operator of the server" : account.role
    }

    private static func activeKeys(_ account: KeyBodies.ServiceAccount) -> [KeyBodies.AccountKey] {
        (account.keys ?? []).filter { $0.ended != true }
    }

    private static func above(_ request: PageRequest) -> [(text: String, link: Link)] {
        [("Keys and tokens", request.link("keys"))]
    }

    /// The part of the list of keys.
    @MarkupBuilder
    static func section(_ request: PageRequest, _ accounts: [KeyBodies.ServiceAccount]) -> Markup {
        h2 { "Service accounts of admin tools" }
        DataTable("Service accounts", ["Account", "Role", "Active keys", "Created"]).rows(accounts) { account in
            let count = activeKeys(account).count
            return [
                a(request.link("keys", "accounts", account.email)) { name(account, request) },
                .text(role(account)), count == 0 ? Badge.mark("revoked", .neutral) : .text("\(count)"),
                Times.moment(account.createTime),
            ]
        }
        div(.class("actions")) {
            a(request.link("keys", "accounts", "new"), .class("button")) { "Create a service account" }
        }
    }

    // MARK: New accounts and keys

    private static func newAccount(_ request: PageRequest) throws -> Page {
        // Whoever may not see the accounts gets the refusal, not a form.
        _ = try all(request)
        let fields = request.fields
        return Page(
            "Create a service account", .keys, above: above(request),
            commands: ["hearth keys account create ci --role publisher --output ci.json"]
        ) {
            p {
                "A tool signs in with the account's key file: the command line, Firebase's Admin SDKs, Google's storage clients."
            }
            form(request, request.link("keys", "accounts", "new")) {
                SingleUseForms.markup
                Field.text(
                    "name", "Name", value: fields["name"],
                    hint: "Up to 30 lower-case letters, digits and hyphens, a letter first.", .required,
                    Attribute("maxlength", "30"), Attribute("autocapitalize", "none"))
                Field.choice(
                    "role", "Role", RoleChoice.options, selected: fields.text("role") ?? Role.publisher.rawValue)
                if request.viewer.isOperator {
                    Field.check(
                        "operator", "Operator of the server", isSet: fields.isSet("operator"),
                        hint: "All rights in all projects, whatever the role above is.")
                }
                button(.class("primary")) { "Create the account and its key" }
            }
        }
    }

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let isOperator = request.fields.isSet("operator")
        let key = try request.api.call(
            AccountCalls.create,
            body: KeyBodies.CreateServiceAccountRequest(
                name: request.fields["name"], role: isOperator ? Role.owner.rawValue : request.fields["role"],
                operator: isOperator ? true : nil))
        return try shown(key, request)
    }

    private static func addKey(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let key = try request.api.call(AccountCalls.addKey, request.path["email"])
        return try shown(key, request)
    }

    private static func shown(_ key: ServiceAccountKey, _ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = ServiceAccountName.short(key.clientEmail, project: request.project)
        let text = String(decoding: try CredentialsFile.serviceAccount(key), as: UTF8.self)
        return .page(
            SecretPages.page(
                "New key of \(name)", request, .account, text, name: name,
                next: ("The account", request.link("keys", "accounts", key.clientEmail))))
    }

    // MARK: One account

    private static func account(_ request: PageRequest) throws -> Page {
        let account = try found(request)
        let name = name(account, request)
        let keys = account.keys ?? []
        return Page(
            name, .keys, above: above(request),
            commands: [
                ShellText.command("hearth", "keys", "account", "role", name, account.role),
                ShellText.command("hearth", "keys", "account", "add-key", name, "--output", "\(name)-2.json"),
            ]
        ) {
            dl(.class("facts")) {
                dt { "Address" }
                dd { code { account.email } }
                dt { "Role" }
                dd { role(account) }
                dt { "Created" }
                dd { Times.moment(account.createTime) }
            }
            if account.operator != true { roleForm(request, account, name) }
            h2 { "Keys" }
            DataTable("Keys of \(name)", ["Key", "Created", "State", "Action"]).rows(keys) { key in
                [
                    code { key.id }, Times.moment(key.createTime),
                    KeyState.badge(key.endTime, hasEnded: key.ended == true),
                    key.ended == true
                        ? .empty
                        : a(
                            request.link("keys", "accounts", account.email, "keys", key.id, "revoke"),
                            .label("Revoke the key \(key.id)")
                        ) { "Revoke" },
                ]
            }
            div(.class("actions")) {
                form(request, request.link("keys", "accounts", account.email, "keys"), .class("inline")) {
                    SingleUseForms.markup
                    button { "Add a key" }
                }
                if !activeKeys(account).isEmpty {
                    a(request.link("keys", "accounts", account.email, "revoke"), .class("button")) {
                        "Revoke the account"
                    }
                }
            }
        }
    }

    @MarkupBuilder
    private static func roleForm(
        _ request: PageRequest, _ account: KeyBodies.ServiceAccount, _ name: String
    ) -> Markup {
        h2 { "Role" }
        form(request, request.link("keys", "accounts", account.email)) {
            Field.choice(
                "role", "Role of \(name)", RoleChoice.options, selected: request.fields.text("role") ?? account.role,
                hint: "It holds from the account's next call on, also for its sessions of the console.")
            button(.class("primary")) { "Change the role" }
        }
    }

    private static func changeRole(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let email = request.path["email"]
        try request.api.call(
            AccountCalls.update, email, body: KeyBodies.UpdateServiceAccountRequest(role: request.fields["role"]))
        return .redirect(request.link("keys", "accounts", email).done(.saved))
    }

    // MARK: Revoking

    private static func revocation(_ request: PageRequest) throws -> Page {
        let account = try found(request)
        let name = name(account, request)
        let keyID = request.path.text("key")
        let keys = activeKeys(account).filter { keyID == nil || $0.id == keyID }
        guard !keys.isEmpty || request.problem != nil else {
            throw APIFailure(status: 404, message: "\(name) has no such active key.")
        }
        let tokens = try TokenPages.all(request).filter { $0.createdBy == account.email && $0.ended != true }
        let sessions = try AccountPages.sessions(request).filter { $0.actor == account.email }
        var words = ["hearth", "keys", "account", "revoke", name]
        if let keyID { words += ["--key", keyID] }
        let isLast = keys.count == activeKeys(account).count
        return try Page(
            keyID.map { "Revoke the key \($0)" } ?? "Revoke \(name)", .keys,
            above: above(request) + [(name, request.link("keys", "accounts", account.email))],
            commands: [words.map(ShellText.quoted).joined(separator: " ")]
        ) {
            consequences(account, name, keyID, keys.count, sessions.count, request)
            if isLast { try SharedLinkPages.ending(madeBy: account.email, request) }
            form(request, target(request, account, keyID)) {
                if !tokens.isEmpty {
                    p { "The account made these admin tokens, which stay valid unless you revoke them too:" }
                    ul {
                        tokens.map { token in
                            li { "\(token.name) (\(token.role)), id \(token.id)" }
                        }
                    }
                    Field.check(
                        "tokens", "Also revoke these tokens, and those that were made with them",
                        isSet: request.fields.isSet("tokens"),
                        hint: "The links to single pages that the account and these tokens made end with them.")
                }
                button(.class("danger")) { keyID.map { "Revoke the key \($0)" } ?? "Revoke \(name) and all its keys" }
            }
        }
    }

    private static func target(
        _ request: PageRequest, _ account: KeyBodies.ServiceAccount, _ keyID: String?
    ) -> Link {
        keyID.map { request.link("keys", "accounts", account.email, "keys", $0, "revoke") }
            ?? request.link("keys", "accounts", account.email, "revoke")
    }

    private static func consequences(
        _ account: KeyBodies.ServiceAccount, _ name: String, _ keyID: String?, _ keys: Int, _ sessions: Int,
        _ request: PageRequest
    ) -> Markup {
        .joined {
            p {
                strong {
                    if keyID != nil || keys == 1 {
                        "Tools that use \(keyID == nil ? "the" : "this") key of \(name) are refused, immediately. "
                    } else {
                        "Tools that use one of the \(keys) active keys of \(name) are refused, immediately. "
                    }
                }
                "A revoked key cannot be made valid again."
            }
            if sessions > 0 {
                p {
                    "The account is signed in to the console with \(sessions == 1 ? "one browser" : "\(sessions) browsers"); "
                    "sessions that began with a revoked key end."
                }
            }
            if request.viewer.actor == account.email, keyID == nil || usesKey(request, keyID) {
                p(.class("hint")) { "You are signed in with this key: you will be signed out." }
            }
        }
    }

    private static func usesKey(_ request: PageRequest, _ keyID: String?) -> Bool {
        guard case .accountKey(let own, _) = request.viewer.session?.credential else { return false }
        return own == keyID
    }

    private static func revoke(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let email = request.path["email"]
        let query = [("endTokens", request.fields.isSet("tokens") ? "true" : nil)]
        if let key = request.path.text("key") {
            try request.api.send(AccountCalls.revokeKey, email, key, query: query)
        } else {
            try request.api.send(AccountCalls.delete, email, query: query)
        }
        return .redirect(request.link("keys").done(.revoked))
    }
}
