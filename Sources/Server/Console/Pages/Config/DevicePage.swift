import HearthCalls
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// What a device would get: a form with the facts that conditions ask for, and each value with the reason.
struct DevicePage {
    private typealias Bodies = TemplateEvaluationBodies

    private let scope: ConfigScope
    private let state: TemplateState
    private let fields: FormFields

    private init(_ scope: ConfigScope) throws {
        self.scope = scope
        state = try scope.state()
        fields = scope.request.fields
    }

    /// The form only: for the first visit, and for facts that are refused.
    static func showForm(_ scope: ConfigScope) throws -> Page {
        let page = try DevicePage(scope)
        return page.page(nil)
    }

    /// The form, and the values if any fact was sent.
    static func show(_ scope: ConfigScope) throws -> Page {
        let page = try DevicePage(scope)
        guard !page.fields.isEmpty else { return page.page(nil) }
        return page.page(try page.evaluate())
    }

    private var isDraft: Bool { fields["of"] != "active" && state.draft != nil }
    private var template: RemoteConfigTemplate { isDraft ? state.shown : state.active }

    private func page(_ result: TemplateEvaluationBodies.Result?) -> Page {
        scope.page(
            "As this device", tab: .device, above: scope.top, commands: [command],
            draft: isDraft ? .shown : .apart
        ) {
            p { "What a device with these facts would get, and why. What you leave empty, the device does not say." }
            form
            if let result {
                EvaluationView(scope, result).content
                if isDraft, scope.mayEdit {
                    p(.class("actions")) {
                        a(scope.link("changes"), .class("button primary")) { "Publish the draft" }
                    }
                }
            }
        }
    }

    // MARK: The facts

    /// A fact that fits in a line: the field, its label, an example, the words of conditions that ask for it, the option of
    /// the command.
    private struct Fact {
        let name: String
        let title: String
        let hint: String
        let words: [String]
        let option: String
        /// As the API names it when it refuses the fact.
        let member: String
    }

    private static let facts = [
        Fact(
            name: "country", title: "Country", hint: "Such as CH.", words: ["device.country"], option: "country",
            member: "device.country"),
        Fact(
            name: "language", title: "Language", hint: "Such as de or pt-BR.", words: ["device.language"],
            option: "language",
            member: "device.language"),
        Fact(
            name: "os", title: "System", hint: "Such as ios, android or linux.", words: ["device.os"], option: "os",
            member: "device.os"),
        Fact(
            name: "app-version", title: "App version", hint: "Such as 2.10.0.", words: ["app.version"],
            option: "app-version",
            member: "device.appVersion"),
        Fact(
            name: "app-build", title: "App build", hint: "Such as 341.", words: ["app.build"], option: "app-build",
            member: "device.appBuild"),
        Fact(
            name: "app", title: "App id", hint: "Such as 1:123:ios:abc.", words: ["app.id"], option: "app",
            member: "device.appId"),
        Fact(
            name: "installation", title: "Installation id",
            hint: "As the app shows it. Shares of the installations and experiments need it.",
            words: ["percent", "app.firebaseInstallationId"], option: "installation",
            member: "device.installationId"),
        Fact(
            name: "first-open", title: "First opened", hint: "Such as 2026-11-21T13:00:00Z.",
            words: ["app.firstOpenTimestamp"], option: "first-open",
            member: "device.firstOpenTime"),
        Fact(
            name: "time", title: "Time at which the device asks", hint: "Empty for now.", words: ["dateTime"],
            option: "time",
            member: "time"),
    ]

    /// A fact of several lines or words.
    private struct ListFact {
        let name: String
        let title: String
        let hint: String
        let words: String
        let member: String
    }

    private static let lists = [
        ListFact(
            name: "signals", title: "Custom signals", hint: "One per line: key=value.", words: "app.customSignal",
            member: "device.customSignals"),
        ListFact(
            name: "properties", title: "User properties", hint: "One per line: key=value.", words: "app.userProperty",
            member: "device.userProperties"),
        ListFact(
            name: "tags", title: "Tags", hint: "One per line.", words: "hearth.tags",
            member: "device.tags"),
    ]

    /// The facts that conditions of the template ask for are open, the others folded.
    private var form: Markup {
        let text = (template.conditions ?? []).map(\.expression).joined(separator: "\n")
        func isAsked(_ words: [String]) -> Bool { words.contains { text.contains($0) } }
        let facts = Self.facts.map { ($0, isAsked($0.words) || !fields[$0.name].isEmpty) }
        let lists = Self.lists.map { ($0, isAsked([$0.words]) || !fields[$0.name].isEmpty) }
        let hidden = facts.filter { !$0.1 }.map(\.0)
        let hiddenLists = lists.filter { !$0.1 }.map(\.0)
        return searchForm(scope.link("device"), .label("Facts of the device")) {
            if state.draft != nil {
                Field.choice(
                    "of", "Template",
                    [("draft", "your draft"), ("active", "version \(state.activeVersion), which is active")],
                    selected: isDraft ? "draft" : "active")
            } else {
                input(.type("hidden"), .name("of"), .value("active"))
            }
            div(.class("columns")) {
                facts.filter(\.1).map { field($0.0) }
                lists.filter(\.1).map { field($0.0) }
            }
            if !hidden.isEmpty || !hiddenLists.isEmpty {
                details {
                    summary {
                        (template.conditions ?? []).isEmpty
                            ? "Facts" : "Facts that no condition of the template asks for"
                    }
                    div(.class("columns")) {
                        hidden.map(field)
                        hiddenLists.map(field)
                    }
                }
            }
            button(.class("primary")) { "Show what it gets" }
        }
    }

    private func field(_ fact: Fact) -> Markup {
        Field.text(
            fact.name, fact.title, value: fields[fact.name], hint: fact.hint,
            refusal: refusal(fact.name, fact.member), Attribute("maxlength", "300"),
            Attribute("autocomplete", "off"))
    }

    private func field(_ fact: ListFact) -> Markup {
        Field.area(
            fact.name, fact.title, value: fields[fact.name], rows: 3, hint: fact.hint,
            refusal: refusal(fact.name, fact.member))
    }

    /// Why this page or the API refused the fact.
    private func refusal(_ name: String, _ member: String) -> String? {
        scope.request.problem.flatMap { $0.refusal(of: name) ?? $0.refusal(of: member) }
    }

    private func lines(_ name: String) -> [String] {
        fields[name].split(whereSeparator: \.isNewline).map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }

    /// - Throws: `APIFailure` for a line without a key.
    private func pairs(_ name: String, _ title: String) throws -> [String: String]? {
        var pairs: [String: String] = [:]
        for line in lines(name) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw APIFailure.field(name, "\(title): '\(line.prefix(50))' is not of the form key=value.")
            }
            pairs[String(parts[0])] = String(parts[1])
        }
        return pairs.isEmpty ? nil : pairs
    }

    private func evaluate() throws -> TemplateEvaluationBodies.Result {
        var device = Bodies.Device()
        device.installationId = fields.text("installation")
        device.appId = fields.text("app")
        device.appVersion = fields.text("app-version")
        device.appBuild = fields.text("app-build")
        device.os = fields.text("os")
        device.language = fields.text("language")
        device.country = fields.text("country")
        device.firstOpenTime = fields.text("first-open")
        let tags = lines("tags")
        device.tags = tags.isEmpty ? nil : tags
        device.customSignals = try pairs("signals", "Custom signals")
        device.userProperties = try pairs("properties", "User properties")
        var request = Bodies.Request()
        request.device = device
        request.time = fields.text("time")
        if isDraft { request.template = state.shown }
        return try scope.request.api.call(EvaluationCalls.ofNamespace, scope.namespace.rawValue, body: request)
    }

    private var command: String {
        var words = ["hearth remoteconfig evaluate"]
        if isDraft { words.append("--file template.json") }
        for fact in Self.facts {
            if let text = fields.text(fact.name) { words.append("--\(fact.option) \(ShellText.quoted(text))") }
        }
        words += lines("tags").map { "--tag \(ShellText.quoted($0))" }
        words += lines("signals").map { "--signal \(ShellText.quoted($0))" }
        words += lines("properties").map { "--user-property \(ShellText.quoted($0))" }
        return words.joined(separator: " ") + scope.option
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        let rest = drop(while: \.isWhitespace)
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
