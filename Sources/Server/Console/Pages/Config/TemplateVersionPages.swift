import HearthCalls
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// The versions of a template: their list, one of them, two compared, and the way back to one.
enum TemplateVersionPages {
    private struct List: Decodable {
        var versions: [RemoteConfigVersion]?
        var nextPageToken: String?
    }

    private static let pageSize = 50

    /// The number of the active version, without its content.
    private static func activeNumber(_ scope: ConfigScope) throws -> Int64 {
        let list = try ask(scope, [("pageSize", "1")])
        return list.versions?.first?.versionNumber.flatMap { Int64($0) } ?? 0
    }

    // MARK: The list

    private static func ask(_ scope: ConfigScope, _ query: APIClient.Query) throws -> List {
        let api = scope.request.api
        return try api.decode(
            List.self, api.response(to: ConfigScope.calls.listVersions, scope.namespace.rawValue, query: query))
    }

    static func list(_ scope: ConfigScope) throws -> Page {
        let list = try ask(
            scope, [("pageSize", String(pageSize)), ("pageToken", scope.request.fields.text("after"))])
        let versions = list.versions ?? []
        // The list begins with the active version; a later page of it does not.
        let active = scope.request.fields.text("after") == nil ? versions.first?.versionNumber : nil
        return scope.page(
            "Versions", tab: .versions, above: scope.top,
            commands: [
                "hearth remoteconfig versions\(scope.option)", "hearth remoteconfig rollback NUMBER\(scope.option)",
            ]
        ) {
            if versions.isEmpty {
                div(.class("empty")) {
                    p { "No version is published yet. Each publication makes one, and you can return to it." }
                    p { a(scope.link()) { "To the parameters" } }
                }
            } else {
                p { "The server keeps 300 versions, each for 90 days, and always the active one." }
                searchForm(scope.link("compare")) {
                    DataTable(
                        "Versions", ["Version", "When", "By", "Description", "Origin", "From", "To"]
                    )
                    .rows(Array(versions.enumerated())) { row(scope, $0, $1, isActive: $1.versionNumber == active) }
                    p(.class("actions")) { button { "Compare the two versions" } }
                }
                if let next = list.nextPageToken {
                    p { a(scope.link("versions").with([("after", next)]), .class("button")) { "Older versions" } }
                }
            }
        }
    }

    private static func row(
        _ scope: ConfigScope, _ index: Int, _ version: RemoteConfigVersion, isActive: Bool
    ) -> [Markup] {
        let number = version.versionNumber ?? ""
        return [
            .joined {
                a(scope.versionLink(number)) { "Version \(number)" }
                if isActive { " "; Badge.mark("active", .good) }
            },
            Times.moment(version.updateTime),
            .text(version.updateUser?.email ?? version.updateUser?.name ?? ""),
            version.description.map { UserText.label($0) } ?? .text("–"), .text(kind(version)),
            choice("from", number, "Compare from version \(number)", isSet: index == 1),
            choice("to", number, "Compare to version \(number)", isSet: index == 0),
        ]
    }

    private static func choice(_ name: String, _ number: String, _ text: String, isSet: Bool) -> Markup {
        input(.type("radio"), .name(name), .value(number), .label(text), Attribute("checked", if: isSet))
    }

    private static func kind(_ version: RemoteConfigVersion) -> String {
        let origin =
            switch version.updateOrigin {
            case "REST_API": "API"
            case "CONSOLE": "console"
            case nil: "–"
            case let other?: UserText.shown(other)
            }
        return switch version.updateType {
        case "ROLLBACK": "\(origin), rollback" + (version.rollbackSource.map { " to version \($0)" } ?? "")
        case "FORCED_UPDATE": "\(origin), forced"
        default: origin
        }
    }

    // MARK: One version

    static func show(_ scope: ConfigScope) throws -> Page {
        let number = scope.request.path["version"]
        let template = try scope.template(version: number).template
        let isActive = try template.versionNumber == activeNumber(scope)
        // The version before may be gone: too old, or one of too many.
        let before = try? scope.template(version: String(template.versionNumber - 1)).template
        return scope.page(
            "Version \(template.versionNumber)", tab: nil, above: above(scope),
            commands: [
                "hearth remoteconfig get --version \(template.versionNumber)\(scope.option)",
                "hearth remoteconfig rollback \(template.versionNumber)\(scope.option)",
            ]
        ) {
            if let version = template.version { facts(scope, version, isActive: isActive) }
            p(.class("actions")) {
                a(scope.link("versions", number, "template.json"), .class("button")) { "Download as JSON" }
                if !isActive {
                    a(scope.link("compare").with([("from", number)]), .class("button")) {
                        "Compare with the active version"
                    }
                    if scope.mayEdit {
                        a(scope.link("versions", number, "rollback"), .class("button")) { "Roll back to this version…" }
                    }
                }
            }
            h2 { "What it changed" }
            if template.versionNumber == 1 || before != nil {
                difference(
                    TemplateDifference(from: before ?? RemoteConfigTemplate(), to: template),
                    none: "Nothing: it has the content of the version before.", label: "Changes of this version")
            } else {
                p { "The version before it is not kept any more, so there is nothing to compare with." }
            }
        }
    }

    private static func above(_ scope: ConfigScope) -> [(text: String, link: Link)] {
        scope.top + [("Versions", scope.link("versions"))]
    }

    private static func facts(_ scope: ConfigScope, _ version: RemoteConfigVersion, isActive: Bool) -> Markup {
        dl(.class("facts")) {
            dt { "State" }
            dd { isActive ? Badge.mark("active", .good) : Badge.mark("replaced", .neutral) }
            dt { "Published" }
            dd { scope.authorship(version) }
            dt { "Description" }
            dd { version.description ?? "–" }
            dt { "Origin" }
            dd { kind(version) }
        }
    }

    private static func difference(_ difference: TemplateDifference, none: String, label: String) -> Markup {
        difference.isEmpty ? p { none } : DifferenceView.list(difference, label: label)
    }

    // MARK: Two versions

    static func compare(_ scope: ConfigScope) throws -> Page {
        let fields = scope.request.fields
        let active = try scope.template().template
        guard active.versionNumber > 0 else {
            throw APIFailure(status: 404, message: "No version is published yet, so there is nothing to compare.")
        }
        let to = try fields.text("to").map { try scope.template(version: $0).template } ?? active
        let from = try scope.template(
            version: fields.text("from") ?? String(max(1, to.versionNumber - 1))
        ).template
        return scope.page(
            "Version \(from.versionNumber) and version \(to.versionNumber)", tab: nil, above: above(scope),
            commands: [from, to].map {
                "hearth remoteconfig get --version \($0.versionNumber) --output version-\($0.versionNumber).json\(scope.option)"
            } + ["diff version-\(from.versionNumber).json version-\(to.versionNumber).json"]
        ) {
            searchForm(scope.link("compare"), .class("filter narrow"), .label("Versions to compare")) {
                Field.number("from", "From version", value: String(from.versionNumber))
                Field.number("to", "To version", value: String(to.versionNumber))
                button { "Compare" }
            }
            h2 { "What changed from version \(from.versionNumber) to version \(to.versionNumber)" }
            difference(
                TemplateDifference(from: from, to: to), none: "Nothing: both have the same content.",
                label: "Changes between the two versions")
        }
    }

    // MARK: The way back

    static func showRollback(_ scope: ConfigScope) throws -> Page {
        let template = try scope.template(version: scope.request.path["version"]).template
        let active = try scope.state().active
        let number = template.versionNumber
        let difference = TemplateDifference(from: active, to: template)
        return scope.page(
            "Roll back to version \(number)", tab: nil,
            above: above(scope) + [("Version \(number)", scope.versionLink(String(number)))],
            commands: ["hearth remoteconfig rollback \(number)\(scope.option)"]
        ) {
            if let version = template.version {
                p {
                    strong { "\(scope.namespace == .client ? "Devices" : "Servers") go back to version \(number)" }
                    ", published "
                    scope.authorship(version)
                    version.description.map { ": \($0)" } ?? "."
                }
            }
            p {
                "Version \(active.versionNumber) is active. The rollback makes version \(active.versionNumber + 1) with the content "
                "of version \(number), and devices get it at their next fetch. Version \(active.versionNumber) stays in the list, so "
                "you can return to it."
            }
            h2 { "What changes" }
            TemplateVersionPages.difference(
                difference, none: "Nothing: the active version has the same content.",
                label: "Changes by the rollback")
            if scope.mayEdit {
                form(scope.request, scope.link("versions", String(number), "rollback")) {
                    input(.type("hidden"), .name("active"), .value(String(active.versionNumber)))
                    p(.class("actions")) {
                        button(.class("danger")) { "Roll back to version \(number)" }
                        a(scope.versionLink(String(number))) { "Back to version \(number)" }
                    }
                }
            }
        }
    }

    static func rollBack(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        struct Body: Encodable {
            var versionNumber: String
        }
        let active = try activeNumber(scope)
        // The call takes no If-Match. So this finds what was published while the person read, not in the last milliseconds.
        guard scope.request.fields["active"] == String(active) else {
            throw APIFailure(
                status: 409,
                message: """
                    Someone published version \(active) meanwhile. Nothing was rolled back. The changes below are \
                    those from version \(active); look at them again.
                    """
            )
        }
        _ = try scope.request.api.response(
            to: ConfigScope.calls.rollBack, scope.namespace.rawValue,
            body: WireJSON.encode(Body(versionNumber: scope.request.path["version"])))
        return .redirect(scope.link().done(.rolledBack))
    }
}
