import HearthCalls
import HearthHTTP
import HearthWire

/// The API keys of apps.
enum AppKeyPages {
    private static let root = "projects/{project}/keys/apps"

    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(root + "/new", show: newKey, submit: create)
        + ConsoleRoute.form(root + "/{key}", show: key, submit: update)
        + ConsoleRoute.form(root + "/{key}/rotate", show: rotation, submit: rotate)
        + ConsoleRoute.form(root + "/{key}/revoke", show: revocation, submit: revoke)
        + ConsoleRoute.form("projects/{project}/keys/plist", holdsSecret: true, show: plist, submit: writePlist)

    static func all(_ request: PageRequest) throws -> [KeyBodies.APIKey] {
        try request.api.call(APIKeyCalls.list).apiKeys ?? []
    }

    private static func found(_ request: PageRequest) throws -> KeyBodies.APIKey {
        let id = request.path["key"]
        guard let key = try all(request).first(where: { $0.id == id }) else {
            throw APIFailure(status: 404, message: "There is no API key '\(id)' in this project.")
        }
        return key
    }

    static func audience(_ key: KeyBodies.APIKey) -> String {
        key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app"
    }

    private static func above(_ request: PageRequest) -> [(text: String, link: Link)] {
        [("Keys and tokens", request.link("keys"))]
    }

    private static func above(_ request: PageRequest, _ key: KeyBodies.APIKey) -> [(text: String, link: Link)] {
        above(request) + [(key.name, request.link("keys", "apps", key.id))]
    }

    /// One id a line, or with commas.
    private static func bundleIDs(_ text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    }

    // MARK: New keys

    private static func newKey(_ request: PageRequest) throws -> Page {
        let apps = Set(try all(request).map(\.appId)).sorted()
        let fields = request.fields
        return Page(
            "Create an API key", .keys, above: above(request),
            commands: [
                "hearth keys api create 'Flowers for iOS' --bundle-id com.example.flowers --output GoogleService-Info.plist"
            ]
        ) {
            form(request, request.link("keys", "apps", "new")) {
                SingleUseForms.markup
                Field.text(
                    "name", "Name", value: fields["name"], hint: "For lists, such as Flowers for iOS.", .required)
                Field.choice(
                    "platform", "Platform of a new app", [("ios", "iOS"), ("android", "Android"), ("web", "web")],
                    selected: fields.text("platform") ?? "ios")
                if !apps.isEmpty {
                    Field.choice(
                        "app", "App", [("", "a new app")] + apps.map { ($0, $0) }, selected: fields["app"],
                        hint: "A second key of an app keeps the app's id.")
                }
                bundles(fields["bundle-ids"])
                button(.class("primary")) { "Create the API key" }
            }
        }
    }

    private static func bundles(_ value: String) -> Markup {
        Field.area(
            "bundle-ids", "Bundle ids or package names", value: value, rows: 3,
            hint: "One on each line. Empty lets any app use the key.")
    }

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let fields = request.fields
        let ids = bundleIDs(fields["bundle-ids"])
        let app = fields.text("app")
        let key = try request.api.call(
            APIKeyCalls.create,
            body: KeyBodies.CreateAPIKeyRequest(
                name: fields["name"], platform: app == nil ? fields.text("platform") : nil, appId: app,
                bundleIds: ids.isEmpty ? nil : ids))
        return .page(SecretPages.page("New API key", request, key))
    }

    // MARK: One key

    private static func key(_ request: PageRequest) throws -> Page {
        let key = try found(request)
        let isRefused = request.problem != nil
        let bundleIDs = key.bundleIds ?? []
        let restriction =
            bundleIDs.isEmpty ? "--any" : bundleIDs.map { "--bundle-id " + ShellText.quoted($0) }.joined(separator: " ")
        return Page(
            key.name, .keys, above: above(request),
            commands: ["hearth keys api restrict \(ShellText.quoted(key.id)) \(restriction)"]
        ) {
            dl(.class("facts")) {
                dt { "State" }
                dd { KeyState.badge(key.endTime, hasEnded: key.ended == true) }
                dt { "Id" }
                dd { code { key.id } }
                dt { "App" }
                dd { code { key.appId } }
                dt { "For" }
                dd { audience(key) }
                dt { "Created" }
                dd { Times.moment(key.createTime) }
            }
            if key.ended != true {
                h2 { "Name and restriction" }
                form(request, request.link("keys", "apps", key.id)) {
                    Field.text("name", "Name", value: isRefused ? request.fields["name"] : key.name, .required)
                    bundles(isRefused ? request.fields["bundle-ids"] : bundleIDs.joined(separator: "\n"))
                    p(.class("faint")) { "An app that is not listed gets no models and no Remote Config from then on." }
                    button(.class("primary")) { "Save" }
                }
                h2 { "Replace or revoke" }
                div(.class("actions")) {
                    a(request.link("keys", "apps", key.id, "rotate"), .class("button")) { "Rotate: make a new key" }
                    a(request.link("keys", "apps", key.id, "revoke"), .class("button")) { "Revoke this key" }
                }
            }
        }
    }

    private static func update(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let id = request.path["key"]
        try request.api.call(
            APIKeyCalls.update, id,
            body: KeyBodies.UpdateAPIKeyRequest(
                name: request.fields["name"], bundleIds: bundleIDs(request.fields["bundle-ids"])))
        return .redirect(request.link("keys", "apps", id).done(.saved))
    }

    // MARK: Replacing

    private static func rotation(_ request: PageRequest) throws -> Page {
        let key = try found(request)
        return Page(
            "Rotate \(key.name)", .keys, above: above(request, key),
            commands: [
                "hearth keys api rotate \(ShellText.quoted(key.id)) --grace 30d --output GoogleService-Info.plist.new"
            ]
        ) {
            p {
                "A new key is made for the same app. Release the app with it. When the grace time is over, apps that were "
                "built with the old key get no models and no Remote Config any more."
            }
            form(request, request.link("keys", "apps", key.id, "rotate"), .class("narrow")) {
                SingleUseForms.markup
                Field.number(
                    "days", "Days that the old key stays valid", value: request.fields.text("days") ?? "30",
                    hint: "0 revokes the old key immediately.")
                button(.class("primary")) { "Make the new key" }
            }
        }
    }

    private static func rotate(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let days = try request.fields.decimal("days", "The grace time") ?? 30
        guard (0...100_000).contains(days) else {
            throw APIFailure(status: 400, message: "The grace time is 0 to 100000 days.")
        }
        let key = try request.api.call(
            APIKeyCalls.rotate, request.path["key"],
            body: KeyBodies.RotateRequest(graceSeconds: Int64((days * 86_400).rounded())))
        return .page(SecretPages.page("New API key", request, key))
    }

    // MARK: Revoking

    private static func revocation(_ request: PageRequest) throws -> Page {
        let key = try found(request)
        let project = try request.api.call(ProjectCalls.get)
        let count = project.installations.flatMap(Int.init) ?? 0
        return Page(
            "Revoke \(key.name)", .keys, above: above(request, key),
            commands: [ShellText.command("hearth", "keys", "api", "revoke", key.id)]
        ) {
            p {
                strong { "Apps that were built with this key stop getting models and Remote Config, immediately. " }
                "They keep the models that they have. "
                "The key is for \(audience(key)); the project has \(NumberText.count(count, "installation")) in all. "
                "A revoked key cannot be made valid again. To replace it without a gap, rotate it instead."
            }
            form(request, request.link("keys", "apps", key.id, "revoke")) {
                button(.class("danger")) { "Revoke \(key.name)" }
            }
        }
    }

    private static func revoke(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        try request.api.send(APIKeyCalls.revoke, request.path["key"])
        return .redirect(request.link("keys").done(.revoked))
    }

    // MARK: The file for apps

    private static func plist(_ request: PageRequest) throws -> Page {
        // Whoever may not see the keys gets the refusal, not a form.
        _ = try all(request)
        return Page(
            "Write a plist again", .keys, above: above(request),
            commands: [
                "hearth keys api plist --from GoogleService-Info.plist --output GoogleService-Info.plist.new"
            ]
        ) {
            p {
                "This makes "
                code { "GoogleService-Info.plist" }
                " with the server's present address, to build into an app. The server does not store the key itself, so "
                "paste it from the older file, where it is "
                code { "API_KEY" }
                "."
            }
            form(request, request.link("keys", "plist")) {
                // Never filled in again: a page must not repeat a secret.
                Field.text(
                    "key", "API key", .required, Attribute("autocomplete", "off"), Attribute("spellcheck", "false"))
                Field.text(
                    "bundle-id", "Bundle id", value: request.fields["bundle-id"],
                    hint: "Of the app that the file is for. Needed if the key is for several apps.")
                button(.class("primary")) { "Save as GoogleService-Info.plist" }
            }
        }
    }

    private static func writePlist(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let secret = request.fields["key"]
        var key = try request.api.call(APIKeyCalls.lookUp, body: KeyBodies.LookUpAPIKeyRequest(key: secret))
        guard key.ended != true else {
            throw APIFailure(
                status: 400, message: "This key was revoked or has expired: apps with it get nothing any more.")
        }
        let allowed = key.bundleIds ?? []
        let chosen = request.fields.text("bundle-id") ?? (allowed.count == 1 ? allowed[0] : nil)
        if !allowed.isEmpty, chosen.map({ allowed.contains($0) }) != true {
            throw APIFailure(
                status: 400, message: "The key is for \(allowed.joined(separator: ", ")): give one of these bundle ids."
            )
        }
        key.key = secret
        let project = try request.api.call(ProjectCalls.get)
        let server = try request.api.call(ServerCalls.status)
        let bytes = try CredentialsFile.app(key, project: project, bundleID: chosen, url: server.deviceUrl ?? "")
        return .response(
            SecretPages.attachment(bytes ?? [], name: "GoogleService-Info.plist", type: "application/x-plist"))
    }
}
