import Foundation
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The forms that begin a release, and that go back to an earlier version.
enum ReleaseFormPages {
    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(
            "projects/{project}/models/{model}/releases/new", for: .publisher, reading: ["version"], show: new,
            submit: create)
        + ConsoleRoute.form(
            "projects/{project}/models/{model}/rollback", for: .publisher, show: rollback, submit: rollBack)

    private static func new(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let versions = try model.versions().filter { $0.verdict != "malformed" }
        let fields = request.fields
        let chosen = fields.text("version") ?? versions.first.map { "\($0.version)" } ?? ""
        // The first version has no other one beside it that a guard could compare it with.
        let share = fields.raw("share") ?? (model.released == nil ? "100" : "10")
        let compared = try comparison(chosen, model, request)
        return Page(
            "Release a version of \(model.name)", .models, above: model.above,
            commands: [
                ShellText.command("hearth", "releases", "create", model.name, "--version", chosen, "--share", "10%"),
                ShellText.command("hearth", "models", "publish", model.name),
            ], scripts: ["share.js"]
        ) {
            if versions.isEmpty {
                p(.class("empty")) {
                    "There is no version that could be released. "; a(model.link("upload")) { "Upload one" }; "."
                }
            } else {
                form(request, model.link("releases", "new"), .class("narrow")) {
                    Field.choice(
                        "version", "Version", versions.map { ("\($0.version)", title($0)) }, selected: chosen)
                    shareField(share)
                    plan(fields)
                    audience(fields)
                    contractHint(compared, model)
                    overrides(request)
                    button(.class("primary")) { "Release" }
                }
            }
        }
    }

    private static func title(_ version: ReleaseBodies.Version) -> String {
        "Version \(version.version)" + (version.note.map { ": \($0)" } ?? "")
            + (version.verdict == "ok" ? "" : " (\(version.verdict))")
    }

    /// With script, a slider beside the field.
    static func shareField(_ share: String) -> Markup {
        .joined {
            Field.number(
                "share", "Share of the devices, in per cent", value: share,
                hint:
                    "100 publishes it to all. A smaller share is watched by guards, which stop the release if the version does harm."
            )
            div(.class("field"), Attribute("data-slider", "share"), Attribute("hidden", if: true)) {
                input(
                    .id("share-slider"), .type("range"), Attribute("min", "0"), Attribute("max", "100"),
                    .label("Share of the devices, in per cent, as a slider"))
            }
        }
    }

    private static func plan(_ fields: FormFields) -> Markup {
        fieldset {
            legend { "When the share is below 100" }
            Field.text(
                "plan", "Plan: later shares, in per cent", value: fields["plan"],
                hint:
                    "Such as 10, 50, 100: the share grows by itself while the guards find no harm. Empty: you raise it."
            )
            Field.number(
                "hold", "Hours for which each share lasts at least", value: fields.raw("hold") ?? "2",
                hint: "A device must have the version so long before it counts as sound.")
            Field.choice(
                "on-harm", "If a guard finds harm",
                [
                    ("pause", "pause: devices that have the version keep it"),
                    ("rollback", "roll back: devices get the fallback release again"),
                ], selected: fields.text("on-harm") ?? "pause")
        }
    }

    static func audience(_ fields: FormFields) -> Markup {
        details(Attribute("open", if: AudienceForm.isUsed(fields))) {
            summary { "Only some devices" }
            Field.text("app-from", "App version from", value: fields["app-from"], hint: "Such as 2.10.0.")
            Field.text("app-below", "App version below", value: fields["app-below"])
            Field.text("systems", "Operating systems", value: fields["systems"], hint: "Such as ios, android, linux.")
            Field.text("languages", "Languages", value: fields["languages"], hint: "Such as de, pt-BR.")
            Field.text("countries", "Countries", value: fields["countries"], hint: "Such as CH, BR.")
            Field.text("tags", "Tags that the app sets", value: fields["tags"])
            Field.area(
                "condition", "Condition", value: fields["condition"], rows: 2,
                hint: "In the language of Remote Config's conditions, such as device.country in ['CH'].")
        }
    }

    /// The boxes stand open after a refusal by a rule.
    ///
    /// - Parameter act: what the form does, as its button says.
    static func overrides(_ request: PageRequest, _ act: String = "Release it") -> Markup {
        let fields = request.fields
        return details(
            Attribute("open", if: request.problem?.isFailedPrecondition ?? false)
        ) {
            summary { "\(act) although a rule of the model refuses it" }
            Field.check("allow-contract", "although its contract differs", isSet: fields.isSet("allow-contract"))
            Field.check("allow-crashing", "although it crashed the engine here", isSet: fields.isSet("allow-crashing"))
            Field.check(
                "allow-rehearsal", "although its rehearsal is missing or shows less than required",
                isSet: fields.isSet("allow-rehearsal"))
        }
    }

    /// What apps may not understand of the version, compared with the released one.
    @MarkupBuilder
    private static func contractHint(_ compared: VersionComparison?, _ model: PageModel) -> Markup {
        if let compared, !compared.fitsApps {
            let (old, new) = (compared.with.version, compared.version.version)
            div(.class("hint")) {
                p { strong { "An app that was written for version \(old) may not understand version \(new)." } }
                ul { compared.differences.filter(\.affectsApps).prefix(5).map { item in li { item.text } } }
                p {
                    a(model.link("compare").with([("left", "\(old)"), ("right", "\(new)")])) { "Compare both versions" }
                }
            }
        }
    }

    /// Nil if there is nothing to compare with.
    private static func comparison(
        _ version: String, _ model: PageModel, _ request: PageRequest
    ) throws -> VersionComparison? {
        guard let released = model.released, Int(version) != nil, version != "\(released)" else { return nil }
        return try request.api.find(VersionCalls.compare, model.id, version, query: [("with", "\(released)")])
    }

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let fields = request.fields
        let share = try SharePercent.read(fields["share"], "The share")
        var body = ReleaseBodies.CreateRequest(version: try fields.number("version", "The version"))
        body.audience = AudienceForm.audience(fields)
        body.allowContractChange = fields.isSet("allow-contract") ? true : nil
        body.allowCrashing = fields.isSet("allow-crashing") ? true : nil
        body.allowFailedRehearsal = fields.isSet("allow-rehearsal") ? true : nil
        var later = try fields["plan"].split(separator: ",").map {
            try SharePercent.read(String($0), "Each share of the plan")
        }
        // Who writes the whole plan begins it with the present share.
        if later.first == share { later.removeFirst() }
        if share < 1 {
            var guarding = ReleaseBodies.Guarding()
            guarding.holdSeconds = try fields.decimal("hold", "The hours").map { Int(($0 * 3600).rounded()) }
            guarding.onHarm = fields.text("on-harm")
            if later.isEmpty {
                body.share = share
            } else {
                guarding.plan = [share] + later
            }
            body.guarding = guarding
        } else if !later.isEmpty {
            throw APIFailure(
                status: 400, message: "A plan begins below 100 %: lower the share, or leave the plan empty.")
        }
        let made = try request.api.call(ReleaseCalls.create, model.id, body: body)
        guard made.unchanged == true else {
            return .redirect(model.link("releases", "\(made.release)").done(.released))
        }
        guard made.share <= share else {
            throw APIFailure(
                status: 409,
                message: """
                    Release \(made.release) gives version \(made.version) to \(SharePercent.text(made.share)) of the \
                    devices already, and a release cannot take a version back from some of them. To take it back \
                    from all, roll back.
                    """
            )
        }
        return .redirect(model.link("releases", "\(made.release)").done(.unchanged))
    }

    // MARK: Back to an earlier version

    private static func rollback(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let releases = try model.releases()
        let versions = try model.versions().filter { $0.verdict != "malformed" }
        let now = model.released.map { "version \($0)" } ?? "nothing"
        let going = releases.filter { $0.state != "ended" && $0.share < 1 }
        let target = try target(model, request)
        let usual = target.map { number in versions.first { $0.version == number }.map(title) ?? "Version \(number)" }
        return Page(
            "Roll \(model.name) back", .models, above: model.above,
            commands: [ShellText.command("hearth", "releases", "rollback", model.name)]
        ) {
            p {
                if let usual {
                    "Unless you choose another version, "
                    strong { "devices go back to \(lowercased(usual))." }
                    " "
                } else {
                    "All devices get one version again. "
                }
                "The releases under way end. Devices now get \(now)"
                    + (going.isEmpty
                        ? ""
                        : ", and "
                            + going.map { "version \($0.version) on \(SharePercent.text($0.share))" }.joined(
                                separator: ", "))
                    + "."
            }
            form(request, model.link("rollback")) {
                input(.type("hidden"), .name("target"), .value(target.map(String.init) ?? ""))
                Field.choice(
                    "version", "Version for all devices",
                    [("", usual.map { "\($0), which all devices had before" } ?? "choose one")]
                        + versions.filter { $0.version != target }.map { ("\($0.version)", title($0)) },
                    selected: request.fields["version"],
                    hint: target == nil
                        ? "There is no earlier version to go back to. Choose the one that all devices get." : nil)
                overrides(request)
                div(.class("actions")) {
                    button(.class("danger")) { "Roll back" }
                    a(model.link()) { "Change nothing" }
                }
            }
        }
    }

    /// The version of a rollback that names none. Nil if there is none to go back to.
    private static func target(_ model: PageModel, _ request: PageRequest) throws -> Int? {
        do {
            return try request.api.call(
                ReleaseCalls.rollBack, model.id, body: ReleaseBodies.RollbackRequest(validateOnly: true)
            ).version
        } catch let failure as APIFailure where failure.status == 400 {
            return nil
        }
    }

    private static func lowercased(_ title: String) -> String { title.prefix(1).lowercased() + title.dropFirst() }

    private static func rollBack(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let fields = request.fields
        // So that nobody goes back to another version than the page named.
        if fields.text("version") == nil, let shown = fields.raw("target"),
            let now = try target(model, request), shown != "\(now)"
        {
            throw APIFailure(
                status: 409,
                message: "The releases changed since you opened this page: now devices would go back to version \(now)."
            )
        }
        try request.api.call(
            ReleaseCalls.rollBack, model.id,
            body: ReleaseBodies.RollbackRequest(
                version: try fields.number("version", "The version"),
                allowContractChange: fields.isSet("allow-contract") ? true : nil,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil,
                allowFailedRehearsal: fields.isSet("allow-rehearsal") ? true : nil))
        return .redirect(model.link().done(.rolledBack))
    }
}

/// The fields of an audience.
enum AudienceForm {
    private static let names = ["app-from", "app-below", "systems", "languages", "countries", "tags", "condition"]

    static func isUsed(_ fields: FormFields) -> Bool { names.contains { fields.text($0) != nil } }

    /// Nil for all devices.
    static func audience(_ fields: FormFields) -> Audience? {
        guard isUsed(fields) else { return nil }
        var audience = Audience()
        audience.appVersionFrom = fields.text("app-from")
        audience.appVersionBelow = fields.text("app-below")
        audience.operatingSystems = list(fields["systems"])
        audience.languages = list(fields["languages"])
        audience.countries = list(fields["countries"])
        audience.tags = list(fields["tags"])
        audience.condition = fields.text("condition")
        return audience
    }

    private static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}
