import HearthCalls
import HearthHTTP
import HearthWire

/// Who changed what, and which changes the server refused.
enum AuditPages {
    static let routes: [ConsoleRoute] = [
        .page("projects/{project}/audit", list), .page("audit", list),
    ]

    private static let filters = ["actor", "action", "model", "from", "to"]
    private static let pageSize = "50"

    private static func isOfServer(_ request: PageRequest) -> Bool { request.project.isEmpty }

    private static func link(_ request: PageRequest) -> Link {
        isOfServer(request) ? request.site.link("audit") : request.link("audit")
    }

    private static func list(_ request: PageRequest) throws -> Page {
        let fields = request.fields
        var (entries, next, problem): ([AuditBodies.Entry], String?, String?) = ([], nil, nil)
        do throws(APIFailure) {
            let found = try ask(request)
            (entries, next) = (found.entries ?? [], found.nextPageToken)
        } catch {
            // A filter that cannot be read: the page shows it again.
            guard error.status == 400 else { throw error }
            problem = error.message
        }
        return Page(
            isOfServer(request) ? "Audit log of the whole server" : "Audit log", isOfServer(request) ? .server : .audit,
            above: isOfServer(request) ? [("Server", request.site.link("server"))] : [],
            commands: [command(request)], status: problem == nil ? 200 : 400
        ) {
            filterForm(request)
            if let problem { p(.class("problem"), Attribute("role", "alert")) { problem } }
            if entries.isEmpty, problem == nil {
                p(.class("empty")) {
                    filters.contains { fields.text($0) != nil } || fields.text("page") != nil
                        ? "No entry matches. Remove a filter, or choose an earlier time."
                        : "The audit log is empty. Each change, and each refused one, appears here."
                }
            } else if problem == nil {
                AuditTable(request: request, showsProject: isOfServer(request)).markup(entries)
            }
            pages(request, next)
        }
    }

    private static func ask(_ request: PageRequest) throws(APIFailure) -> AuditBodies.List {
        let fields = request.fields
        let call = isOfServer(request) ? AuditCalls.list : AuditCalls.listOfProject
        let query: APIClient.Query = [
            ("actor", fields.text("actor")), ("action", fields.text("action")), ("model", fields.text("model")),
            ("startTime", fields.text("from").map(time)), ("endTime", fields.text("to").map(time)),
            ("pageSize", pageSize), ("pageToken", fields.text("page")),
        ]
        do {
            return try request.api.call(call, query: query)
        } catch let failure as APIFailure {
            throw failure
        } catch {
            throw APIFailure(status: 500, message: "The audit log cannot be read.")
        }
    }

    /// RFC 3339 of what a field for date and time holds, which has no zone: it is read as UTC. Other texts stay, and the
    /// API says what is wrong.
    static func time(_ text: String) -> String {
        switch text.utf8.count {
        case 10: text + "T00:00:00Z"
        case 16: text + ":00Z"
        case 19: text + "Z"
        default: text
        }
    }

    private static func filterForm(_ request: PageRequest) -> Markup {
        let fields = request.fields
        return .element(
            "form", [.action(link(request)), .class("filters"), Attribute("role", "search"), .label("Filter the log")],
            .joined {
                div(.class("columns")) {
                    Field.text(
                        "actor", "Who", value: fields["actor"], hint: "An account or token: its name, address or id.")
                    Field.text(
                        "action", "Action", value: fields["action"],
                        hint:
                            "Such as model.publish, or model for all of that kind; access.refuse for what was refused.")
                    Field.text("model", "Model", value: fields["model"], hint: "Its name or id, also of a deleted one.")
                    moment("from", "From (UTC)", fields["from"])
                    moment("to", "Before (UTC)", fields["to"])
                }
                div(.class("actions")) {
                    button(.class("primary")) { "Show" }
                    a(link(request), .class("button")) { "Remove the filters" }
                }
            })
    }

    private static func moment(_ name: String, _ title: String, _ value: String) -> Markup {
        div(.class("field")) {
            label(for: name) { title }
            input(.id(name), .name(name), .type("datetime-local"), .value(value))
        }
    }

    @MarkupBuilder
    private static func pages(_ request: PageRequest, _ next: String?) -> Markup {
        let kept = filters.compactMap { name in request.fields.text(name).map { (name, $0) } }
        let isLater = request.fields.text("page") != nil
        if next != nil || isLater {
            nav(.class("actions"), .label("Pages of the log")) {
                if isLater { a(link(request).with(kept), .class("button")) { "Newest" } }
                if let next { a(link(request).with(kept + [("page", next)]), .class("button")) { "Older" } }
            }
        }
    }

    private static func command(_ request: PageRequest) -> String {
        let fields = request.fields
        var words = ["hearth", "admin", "audit"]
        for (option, value) in [
            ("--actor", fields.text("actor")), ("--action", fields.text("action")), ("--model", fields.text("model")),
            ("--since", fields.text("from").map(time)), ("--until", fields.text("to").map(time)),
        ] {
            if let value { words += [option, value] }
        }
        if isOfServer(request) { words.append("--all-projects") }
        return words.map(ShellText.quoted).joined(separator: " ")
    }
}
