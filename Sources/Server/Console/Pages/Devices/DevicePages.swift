import HearthCatalog
import HearthHTTP
import HearthWire

/// Which versions devices have, what they report, what one of them gets and why, and the pins.
enum DevicePages {
    private static let pattern = "projects/{project}/models/{model}/devices"

    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(pattern, show: show, submit: pin) + [.action(pattern + "/unpin", submit: unpin)]

    private static let hours = [
        ("1", "the last hour"), ("24", "the last day"), ("168", "the last week"), ("720", "the last 30 days"),
    ]

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let since = request.fields.text("hours") ?? "24"
        let devices = try request.api.get(DeviceBodies.Report.self, model.path("devices").query(("maxAge", "3600")))
        let health = try request.api.get(HealthBodies.Report.self, model.path("health").query(("hours", since)))
        let pins = try request.api.get(PinBodies.List.self, model.path("pins")).pins ?? []
        let versions = request.may(.publisher) ? try model.versions() : []
        let explained = try explanation(request, model)
        return Page(
            "Devices of \(model.name)", .models, above: model.above,
            commands: [
                ShellText.command("hearth", "models", "devices", model.name),
                ShellText.command("hearth", "models", "health", model.name),
                ShellText.command(
                    "hearth", "releases", "explain", model.name, request.fields.text("installation") ?? "INSTALLATION"),
                ShellText.command("hearth", "releases", "pin", model.name, "INSTALLATION", "--version", "2"),
            ], isLive: true
        ) {
            section(.id("adoption"), Attribute("data-live", if: true)) { AdoptionView(devices).markup }
            HealthView(health).markup(
                request, model.link("devices"), choices: hours, chosen: since)
            section(.id("one")) {
                h2 { "One installation" }
                finder(request, model)
                if let explained { ExplanationView(explained, model).markup }
            }
            pinSection(request, model, pins, versions)
        }
    }

    /// Nil if the reader asks for no installation.
    private static func explanation(
        _ request: PageRequest, _ model: PageModel
    ) throws -> ReleaseBodies.Explanation? {
        guard let installation = request.fields.text("installation"), request.problem == nil else { return nil }
        let fields = request.fields
        return try request.api.get(
            ReleaseBodies.Explanation.self,
            model.path().verb("explain").query(
                ("installation", installation), ("os", fields.text("os")), ("appVersion", fields.text("app-version")),
                ("language", fields.text("language")), ("country", fields.text("country")), ("tag", fields.text("tag")))
        )
    }

    private static func finder(_ request: PageRequest, _ model: PageModel) -> Markup {
        .joined {
            p { "What does this device get, and why? The answer comes from the code that answers devices." }
            Markup.element(
                "form", [.action(model.link("devices").with(fragment: "one"))],
                .joined {
                    Field.text(
                        "installation", "Id of the installation", value: request.fields["installation"],
                        hint: "The app prints it; it has 22 characters.", .required)
                    details(
                        Attribute(
                            "open",
                            if: ["os", "app-version", "language", "country", "tag"].contains {
                                request.fields.text($0) != nil
                            })
                    ) {
                        summary { "With other facts than those of its last call" }
                        Field.text("os", "Operating system", value: request.fields["os"])
                        Field.text("app-version", "App version", value: request.fields["app-version"])
                        Field.text("language", "Language", value: request.fields["language"])
                        Field.text("country", "Country", value: request.fields["country"])
                        Field.text("tag", "Tag", value: request.fields["tag"])
                    }
                    button { "Explain" }
                })
        }
    }

    // MARK: Pins

    private static func pinSection(
        _ request: PageRequest, _ model: PageModel, _ pins: [PinBodies.Pin], _ versions: [ReleaseBodies.Version]
    ) -> Markup {
        section(.id("pins")) {
            h2 { "Pins" }
            p { "A pin gives chosen devices a version before any release applies: for test devices." }
            if pins.isEmpty {
                p(.class("faint")) { "No device is pinned." }
            } else {
                DataTable("Pins", ["Device", "Version", "Since", "By", "Action"]).rows(pins) { pin in
                    let device = pin.installation ?? pin.tag.map { "tag \($0)" } ?? ""
                    return [
                        .text(device), .text(pin.version.map { "version \($0)" } ?? ""), Times.moment(pin.createTime),
                        .text(pin.createdBy), request.may(.publisher) ? removal(request, model, pin, device) : .empty,
                    ]
                }
            }
            if request.may(.publisher), !versions.isEmpty {
                details(Attribute("open", if: request.problem != nil)) {
                    summary { "Pin a device" }
                    form(request, model.link("devices")) {
                        Field.text(
                            "pin-installation", "Id of the installation", value: request.fields["pin-installation"],
                            hint: "Or a tag:")
                        Field.text("pin-tag", "Tag that the devices send", value: request.fields["pin-tag"])
                        Field.choice(
                            "pin-version", "Version", versions.map { ("\($0.version)", "Version \($0.version)") },
                            selected: request.fields["pin-version"])
                        Field.check(
                            "allow-crashing", "although it crashed the engine here",
                            isSet: request.fields.isSet("allow-crashing"))
                        button(.class("primary")) { "Pin" }
                    }
                }
            }
        }
    }

    private static func removal(
        _ request: PageRequest, _ model: PageModel, _ pin: PinBodies.Pin, _ device: String
    ) -> Markup {
        form(request, model.link("devices", "unpin"), .class("inline")) {
            input(
                .type("hidden"), .name(pin.tag == nil ? "installation" : "tag"),
                .value(pin.tag ?? pin.installation ?? ""))
            button(.label("Remove the pin of \(device)")) { "Remove" }
        }
    }

    private static func pin(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let fields = request.fields
        let device: PinBodies.Device
        switch (fields.text("pin-installation"), fields.text("pin-tag")) {
        case (let id?, nil): device = .installation(id)
        case (nil, let tag?): device = .tag(tag)
        default: throw APIFailure(status: 400, message: "Give the id of an installation or a tag, not both.")
        }
        try request.api.send(
            PinBodies.Pin.self, .post, model.path().verb("pin"),
            PinBodies.PinVersionRequest(
                device, version: try fields.number("pin-version", "The version") ?? 0,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil))
        return .redirect(model.link("devices").done(.pinned))
    }

    private static func unpin(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let device =
            request.fields.text("tag").map(PinBodies.Device.tag) ?? .installation(request.fields["installation"])
        try request.api.send(
            PinBodies.Pin.self, .post, model.path().verb("unpin"), PinBodies.UnpinRequest(device))
        return .redirect(model.link("devices").done(.unpinned))
    }
}
