import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// One experiment: whether its groups are sound, what was found, and what to do.
enum ExperimentPages {
    private static let pattern = "projects/{project}/experiments/{experiment}"

    static let routes: [ConsoleRoute] =
        [
            .page(pattern) { try show($0, name: $0.path["experiment"]) },
            .action(pattern + "/link", submit: share),
        ] + ConsoleRoute.form(pattern + "/start", for: .publisher, show: starting, submit: start)
        + ConsoleRoute.form(pattern + "/stop", for: .publisher, show: stopping, submit: stop)
        + ConsoleRoute.form(pattern + "/roll-out", for: .publisher, show: rollingOut, submit: rollOut)
        + ConsoleRoute.form(pattern + "/delete", for: .publisher, show: deleting, submit: delete)

    /// How old the shown counts may be, in seconds: the server counts running experiments each minute.
    static let maxAge = "90"

    private static func above(_ request: PageRequest, _ name: String? = nil) -> [(text: String, link: Link)] {
        [("Experiments", request.link("experiments"))] + (name.map { [($0, request.link("experiments", $0))] } ?? [])
    }

    /// Also for someone with a link to the page.
    static func show(_ request: PageRequest, name: String) throws -> Page {
        let item = try request.api.call(ExperimentCalls.get, name)
        let hasStarted = item.startTime != nil
        let results =
            hasStarted
            ? try request.api.call(ExperimentCalls.results, name, query: [("maxAge", maxAge)]) : nil
        let history =
            hasStarted
            ? try request.api.call(ExperimentCalls.history, name) : nil
        return try Page(
            name, .experiments, above: request.viewer.isGuest ? [] : above(request),
            commands: [
                ShellText.command("hearth", "experiments", "results", name),
                ShellText.command("hearth", "experiments", "stop", name),
                ShellText.command(
                    "hearth", "experiments", "rollout", name, item.definition.variants.last?.name ?? ""),
            ], isLive: item.state == "running"
        ) {
            try publishedVersion(request, name)
            p {
                ExperimentText.state(item)
                if let results, results.exposures.contains(where: { $0.installations > 0 }) {
                    " "; HomePages.verdict(results.verdict)
                }
                item.definition.note.map { " \($0)" } ?? ""
            }
            (item.warnings ?? []).map { warning in p(.class("hint")) { "Perhaps a mistake: \(warning)" } }
            if request.may(.publisher) { actions(request, item) }
            if let results {
                section(.id("results"), Attribute("data-live", if: true)) {
                    ResultsView(results, history).markup
                }
            } else {
                p(.class("empty")) {
                    "This is a draft. Start it, and parts of the devices get its variants at their next request."
                }
            }
            DefinitionView(item, request).markup
            if request.may(.publisher), hasStarted { sharing(request, name) }
        }
    }

    // MARK: The template

    private static func variesParameters(_ item: ExperimentBodies.Experiment) -> Bool {
        item.definition.variants.contains { $0.parameters?.isEmpty == false }
    }

    /// What a change of the experiment does to the template, before it is done.
    @MarkupBuilder
    private static func consequence(
        _ request: PageRequest, _ item: ExperimentBodies.Experiment, _ doing: String, sameContent: Bool = true
    ) throws -> Markup {
        if variesParameters(item) {
            let scope = ConfigScope(request, .client)
            let next = try scope.template().template.versionNumber + 1
            p(.class("hint")) {
                "\(doing) publishes version \(next) of the Remote Config template"
                sameContent
                    ? ", with the same content: its number tells devices to fetch again. "
                    : ", with the values of the variant. "
                if let draft = scope.draft {
                    "Your unpublished draft of \(NumberText.count(draft.changeCount, "change")) stays; "
                    "before you publish it, you "
                    a(scope.link("changes")) { "apply it to that version" }
                    "."
                } else {
                    "Unpublished drafts stay."
                }
            }
        }
    }

    /// The experiment's page after a change, with the number of the version of the template that the change published.
    private static func changed(
        _ request: PageRequest, _ name: String, _ notice: Notice, _ item: ExperimentBodies.Experiment
    ) throws -> ConsoleRoute.Answer {
        let link = request.link("experiments", name).done(notice)
        guard variesParameters(item) else { return .redirect(link) }
        let number = try ConfigScope(request, .client).template().template.versionNumber
        return .redirect(link.with([("template", "\(number)")]))
    }

    /// Only a version that the server made for this experiment: no link can make the page say something else.
    @MarkupBuilder
    private static func publishedVersion(_ request: PageRequest, _ name: String) throws -> Markup {
        let scope = ConfigScope(request, .client)
        if !request.viewer.isGuest, let number = request.fields.text("template"), Int(number) != nil,
            let version = try? scope.template(version: number).template.version,
            version.description?.hasPrefix("Experiment '\(name)' ") == true
        {
            p(.class("notice"), Attribute("role", "status")) {
                "This published "
                a(scope.versionLink(number)) { "version \(number) of the Remote Config template" }
                "."
                if scope.draft != nil {
                    " Your draft is kept: "
                    a(scope.link("changes")) { "apply it to that version" }
                    "."
                }
            }
        }
    }

    private static func actions(_ request: PageRequest, _ item: ExperimentBodies.Experiment) -> Markup {
        let name = item.definition.name
        func action(_ segment: String, _ text: String, _ kind: String = "button") -> Markup {
            a(request.link("experiments", name, segment), .class(kind)) { text }
        }
        return div(.class("actions")) {
            if item.state == "draft" {
                action("start", "Start", "button primary")
                action("edit", "Edit")
            }
            if item.state == "running" { action("stop", "Stop") }
            if item.state == "running" || item.state == "stopped" { action("roll-out", "Roll out a variant") }
            action("delete", "Delete")
        }
    }

    private static func sharing(_ request: PageRequest, _ name: String) -> Markup {
        details {
            summary { "Share this page" }
            p { "A link shows this page for 7 days to whoever has it. It lets its readers change nothing." }
            form(request, request.link("experiments", name, "link")) {
                SingleUseForms.markup
                button { "Make a link" }
            }
        }
    }

    private static func share(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = request.path["experiment"]
        let link = try request.api.call(
            SharedLinkCalls.create, body: ConsoleBodies.CreateSharedLinkRequest(experiment: name))
        return .page(SharedLinkPage.made(link, request, above: above(request, name)))
    }
}

/// Begin and end.
extension ExperimentPages {
    private static func starting(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        let item = try request.api.call(ExperimentCalls.get, name)
        let definition = item.definition
        let audience = definition.audience == nil ? "all devices" : "the devices that meet its condition"
        return try Page(
            "Start \(name)", .experiments, above: above(request, name),
            commands: [ShellText.command("hearth", "experiments", "start", name)]
        ) {
            p {
                "\(SharePercent.text(definition.share ?? 1)) of \(audience) take part at their next request: "
                definition.variants.map { "\($0.name) (weight \($0.weight ?? 1))" }.joined(separator: ", ")
                ". Its definition cannot be changed afterwards."
            }
            try consequence(request, item, "Starting")
            form(request, request.link("experiments", name, "start")) {
                ReleaseFormPages.overrides(request, "Start it")
                div(.class("actions")) {
                    button(.class("primary")) { "Start the experiment" }
                    a(request.link("experiments", name)) { "Not yet" }
                }
            }
        }
    }

    private static func start(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = request.path["experiment"]
        let fields = request.fields
        let item = try request.api.call(
            ExperimentCalls.start, name,
            body: ExperimentBodies.StartRequest(
                allowContractChange: fields.isSet("allow-contract") ? true : nil,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil,
                allowFailedRehearsal: fields.isSet("allow-rehearsal") ? true : nil))
        return try changed(request, name, .started, item)
    }

    private static func stopping(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        let item = try request.api.call(ExperimentCalls.get, name)
        return try Page(
            "Stop \(name)", .experiments, above: above(request, name),
            commands: [ShellText.command("hearth", "experiments", "stop", name)]
        ) {
            p {
                """
                The experiment ends, and its devices get what all devices get at their next request. What it found \
                stays. It cannot be started again.
                """
            }
            try consequence(request, item, "Stopping")
            form(request, request.link("experiments", name, "stop")) {
                Field.choice(
                    "winner", "Record a winner", [("", "none")] + item.definition.variants.map { ($0.name, $0.name) },
                    selected: request.fields["winner"], hint: "Only a record: nothing is rolled out.")
                div(.class("actions")) {
                    button(.class("danger")) { "Stop \(name)" }
                    a(request.link("experiments", name)) { "Let it go on" }
                }
            }
        }
    }

    private static func stop(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = request.path["experiment"]
        let item = try request.api.call(
            ExperimentCalls.stop, name, body: ExperimentBodies.StopRequest(winner: request.fields.text("winner")))
        return try changed(request, name, .stopped, item)
    }

    private static func rollingOut(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        let item = try request.api.call(ExperimentCalls.get, name)
        let chosen = request.fields.text("variant") ?? item.winner ?? item.definition.variants.last?.name ?? ""
        return try Page(
            "Roll out a variant of \(name)", .experiments, above: above(request, name),
            commands: [ShellText.command("hearth", "experiments", "rollout", name, chosen)]
        ) {
            p {
                """
                The experiment ends, and all devices of its audience get this variant: its versions are released, \
                its parameters are published.
                """
            }
            try consequence(request, item, "Rolling out", sameContent: false)
            form(request, request.link("experiments", name, "roll-out")) {
                Field.choice(
                    "variant", "Variant",
                    item.definition.variants.map { ($0.name, "\($0.name): \(DefinitionView.content($0))") },
                    selected: chosen)
                ReleaseFormPages.overrides(request, "Roll it out")
                div(.class("actions")) {
                    button(.class("primary")) { "Roll it out" }
                    a(request.link("experiments", name)) { "Change nothing" }
                }
            }
        }
    }

    private static func rollOut(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = request.path["experiment"]
        let fields = request.fields
        let item = try request.api.call(
            ExperimentCalls.rollOut, name,
            body: ExperimentBodies.RollOutRequest(
                variant: fields["variant"], allowContractChange: fields.isSet("allow-contract") ? true : nil,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil,
                allowFailedRehearsal: fields.isSet("allow-rehearsal") ? true : nil))
        return try changed(request, name, .rolledOut, item)
    }

    private static func deleting(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        _ = try request.api.call(ExperimentCalls.get, name)
        return Page(
            "Delete \(name)", .experiments, above: above(request, name),
            commands: [ShellText.command("hearth", "experiments", "delete", name)]
        ) {
            p { "The experiment disappears with its counts and everything it found. It cannot be undone." }
            form(request, request.link("experiments", name, "delete")) {
                div(.class("actions")) {
                    button(.class("danger")) { "Delete \(name) for good" }
                    a(request.link("experiments", name)) { "Keep it" }
                }
            }
        }
    }

    private static func delete(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        try request.api.send(ExperimentCalls.delete, request.path["experiment"])
        return .redirect(request.link("experiments").done(.deleted))
    }
}
