import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// One version: what it takes and gives, what it cost on this server, its note and its names.
enum VersionPages {
    static let routes: [ConsoleRoute] =
        ConsoleRoute.form("projects/{project}/models/{model}/versions/{version}", show: show, submit: setNote) + [
            .action("projects/{project}/models/{model}/versions/{version}/aliases", submit: addAlias),
            .action("projects/{project}/models/{model}/aliases/{alias}/remove", submit: removeAlias),
        ]

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let version = try request.api.call(VersionCalls.get, model.id, request.path["version"])
        let number = "\(version.version)"
        return Page(
            "\(model.name), version \(number)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "versions", model.name, "--json")],
            isLive: version.verdict == "pending"
        ) {
            section(.id("verdict"), Attribute("data-live", if: true)) {
                p { VerdictBadge.badge(version) }
                if let message = version.message {
                    p(.class(version.verdict == "malformed" ? "problem" : "hint")) { message }
                }
            }
            div(.class("actions")) {
                if request.may(.publisher), version.verdict != "malformed" {
                    a(model.link("releases", "new").with([("version", number)]), .class("button primary")) {
                        "Release version \(number)"
                    }
                }
                if version.verdict != "malformed" {
                    a(model.link("try").with([("version", number)]), .class("button")) { "Try on an image" }
                }
                if version.version > 1 {
                    a(
                        model.link("compare").with([("left", "\(version.version - 1)"), ("right", number)]),
                        .class("button")
                    ) {
                        "Compare with version \(version.version - 1)"
                    }
                }
            }
            div(.class("columns")) {
                facts(version)
                if request.may(.publisher) { naming(request, model, version) }
            }
            if let contract = version.contract {
                if let vision = contract.vision { VisionView(vision, model, version: version.version).markup }
                ContractView(contract).markup
            }
        }
    }

    private static func facts(_ version: ReleaseBodies.Version) -> Markup {
        section {
            h2 { "File" }
            dl(.class("facts")) {
                fact("Size", .text(Int64(version.sizeBytes).map(NumberText.bytes) ?? version.sizeBytes))
                fact("SHA-256", code { version.modelHash })
                fact("Uploaded", Times.moment(version.createTime))
                fact("By", .text(version.createdBy))
                fact("From", .text(FileName.of(version.source).map { "file \($0)" } ?? version.source))
                if let figures = version.figures {
                    fact(
                        "Time per run",
                        .text(
                            """
                            \(NumberText.milliseconds(figures.medianMicroseconds)) (half of \
                            \(NumberText.count(figures.runs, "run"))), \
                            \(NumberText.milliseconds(figures.p90Microseconds)) (nine of ten)
                            """
                        ))
                    fact("Loading", .text(NumberText.milliseconds(figures.loadMicroseconds)))
                    fact("Memory", .text(NumberText.bytes(Int64(figures.peakMemoryBytes))))
                    fact("Measured with", .text("\(figures.engine) on this server, one thread"))
                } else if let note = version.figuresNote {
                    fact("Measurements", .text(note))
                }
            }
        }
    }

    static func fact(_ name: String, _ value: Markup) -> Markup {
        .joined {
            dt { name }; dd { value }
        }
    }

    private static func naming(
        _ request: PageRequest, _ model: PageModel, _ version: ReleaseBodies.Version
    ) -> Markup {
        section {
            h2 { "Note and names" }
            form(request, model.link("versions", "\(version.version)")) {
                Field.text(
                    "note", "Note", value: request.fields.raw("note") ?? version.note ?? "",
                    hint: "One line, such as what changed in the training.", Attribute("maxlength", "500"))
                button { "Save the note" }
            }
            let aliases = version.aliases ?? []
            if !aliases.isEmpty {
                ul {
                    aliases.map { alias in
                        li {
                            Badge.mark(alias, .neutral)
                            " "
                            form(
                                request,
                                model.link("aliases", alias, "remove").with([("version", "\(version.version)")]),
                                .class("inline")
                            ) {
                                button(.label("Remove the alias \(alias)")) { "Remove" }
                            }
                        }
                    }
                }
            }
            form(request, model.link("versions", "\(version.version)", "aliases")) {
                Field.text(
                    "alias", "New alias",
                    hint: "A name for this version, such as champion. If another version has it, it moves here.",
                    Attribute("maxlength", "32"))
                button { "Give the alias" }
            }
        }
    }

    private static func setNote(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let version = request.path["version"]
        try request.api.call(
            VersionCalls.update, model.id, version,
            body: ReleaseBodies.UpdateVersionRequest(note: request.fields["note"]))
        return .redirect(model.link("versions", version).done(.saved))
    }

    private static func addAlias(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let version = request.path["version"]
        try request.api.call(
            AliasCalls.put, model.id, request.fields["alias"],
            body: AliasBodies.PutRequest(version: Int(version) ?? 0))
        return .redirect(model.link("versions", version).done(.saved))
    }

    private static func removeAlias(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        try request.api.send(AliasCalls.delete, model.id, request.path["alias"])
        return .redirect(model.link().done(.deleted))
    }
}
