import HearthCalls
import HearthCatalog
import HearthWire

/// The keys of apps, the accounts of tools and the tokens of scripts, for owners.
enum KeyPages {
    static let routes: [ConsoleRoute] =
        [ConsoleRoute.page("projects/{project}/keys", list)] + AppKeyPages.routes + AccountKeyPages.routes
        + TokenPages.routes
        + SecretPages.routes

    private static func list(_ request: PageRequest) throws -> Page {
        let keys = try AppKeyPages.all(request)
        let accounts = try AccountKeyPages.all(request)
        let tokens = try TokenPages.all(request)
        return Page("Keys and tokens", .keys, commands: ["hearth keys list"]) {
            p {
                "Apps use API keys, admin tools use service accounts, and scripts may use admin tokens. "
                "The server shows each secret once, when it is made."
            }
            apps(request, keys)
            AccountKeyPages.section(request, accounts)
            TokenPages.section(request, tokens)
            h2 { "Links to single pages" }
            p { a(request.link("links")) { "Links that show one release or experiment" } }
        }
    }

    @MarkupBuilder
    private static func apps(_ request: PageRequest, _ keys: [KeyBodies.APIKey]) -> Markup {
        h2 { "API keys of apps" }
        if keys.isEmpty {
            p(.class("empty")) {
                "No app can reach this project yet. Create an API key, and build its plist into your app."
            }
        } else {
            DataTable("API keys of apps", ["Name", "App", "For", "Created", "State"]).rows(keys) { key in
                [
                    a(request.link("keys", "apps", key.id)) { key.name.isEmpty ? key.id : key.name },
                    code { key.appId }, .text(AppKeyPages.audience(key)), Times.moment(key.createTime),
                    KeyState.badge(key.endTime, hasEnded: key.ended == true),
                ]
            }
        }
        div(.class("actions")) {
            a(request.link("keys", "apps", "new"), .class("button")) { "Create an API key" }
            a(request.link("keys", "plist"), .class("button")) { "Write the plist of a key again" }
        }
    }
}

/// Whether a key or token is valid, in a word.
enum KeyState {
    /// - Parameter hasEnded: as the server says, which knows the time best.
    static func badge(_ endTime: String?, hasEnded: Bool) -> Markup {
        if hasEnded { return Badge.mark("ended", .neutral) }
        guard let endTime else { return Badge.mark("active", .good) }
        return .joined {
            Badge.mark("active", .good)
            " until "
            Times.moment(endTime)
        }
    }
}

/// The roles of accounts and tokens, with what each may do.
enum RoleChoice {
    static let options: [(value: String, text: String)] = [
        (Role.viewer.rawValue, "viewer: reads everything except secrets"),
        (Role.publisher.rawValue, "publisher: also uploads, releases and changes"),
        (Role.owner.rawValue, "owner: also makes and revokes keys"),
    ]
}
