import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The pins of a model, and the form that makes one.
struct PinView {
    private let request: PageRequest
    private let model: PageModel
    private let pins: [PinBodies.Pin]
    private let versions: [ReleaseBodies.Version]

    init(
        _ request: PageRequest, _ model: PageModel, pins: [PinBodies.Pin], versions: [ReleaseBodies.Version]
    ) {
        self.request = request
        self.model = model
        self.pins = pins
        self.versions = versions
    }

    var markup: Markup {
        section(.id("pins")) {
            h2 { "Pins" }
            p { "A pin gives chosen devices a version before any release applies: for test devices." }
            if pins.isEmpty {
                p(.class("faint")) { "No device is pinned." }
            } else {
                DataTable("Pins", ["Device", "Version", "Since", "By", "Action"]).rows(pins) { pin in
                    [
                        device(pin), version(pin), Times.moment(pin.createTime),
                        .text(model.shortName(ofActor: pin.createdBy)),
                        request.may(.publisher) ? removal(pin) : .empty,
                    ]
                }
            }
            if request.may(.publisher), !pinnable.isEmpty { maker }
        }
    }

    private func device(_ pin: PinBodies.Pin) -> Markup {
        guard let installation = pin.installation else { return .text(Self.name(pin)) }
        return a(request.explanation(of: installation, model: model.id)) { code { installation } }
    }

    private static func name(_ pin: PinBodies.Pin) -> String {
        pin.installation ?? pin.tag.map { "tag \($0)" } ?? ""
    }

    private func version(_ pin: PinBodies.Pin) -> Markup {
        guard let number = pin.version else { return .empty }
        let note = versions.first { $0.version == number }?.note
        return .joined {
            a(model.link("versions", "\(number)")) { "Version \(number)" }
            if let note { ": \(note)" }
        }
    }

    private func removal(_ pin: PinBodies.Pin) -> Markup {
        form(request, model.link("devices", "unpin"), .class("inline")) {
            input(
                .type("hidden"), .name(pin.tag == nil ? "installation" : "tag"),
                .value(pin.tag ?? pin.installation ?? ""))
            button(.label("Remove the pin of \(Self.name(pin))")) { "Remove" }
        }
    }

    /// A malformed version cannot be pinned.
    private var pinnable: [ReleaseBodies.Version] { versions.filter { $0.verdict != "malformed" } }

    /// The form's address has its own place in the page, so the browser comes back to it when the form is refused.
    private var maker: Markup {
        details(.id("pin"), Attribute("open", if: request.problem != nil)) {
            summary { "Pin a device" }
            if let problem = request.problem { ProblemBox(problem, takesFocus: false).markup }
            form(request, model.link("devices").with(fragment: "pin")) {
                Field.text(
                    "pin-installation", "Id of the installation", value: request.fields["pin-installation"],
                    hint: "22 characters, as the app prints it. Or a tag:")
                Field.text("pin-tag", "Tag that the devices send", value: request.fields["pin-tag"])
                Field.choice(
                    "pin-version", "Version", pinnable.map { ("\($0.version)", Self.title($0)) },
                    selected: request.fields["pin-version"])
                Field.check(
                    "allow-crashing", "although it crashed the engine here",
                    isSet: request.fields.isSet("allow-crashing"))
                button(.class("primary")) { "Pin" }
            }
        }
    }

    private static func title(_ version: ReleaseBodies.Version) -> String {
        "Version \(version.version)" + (version.note.map { ": \($0.prefix(60))" } ?? "")
    }

    static func pin(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let fields = request.fields
        let device: PinBodies.Device
        switch (fields.text("pin-installation"), fields.text("pin-tag")) {
        case (let id?, nil): device = .installation(id)
        case (nil, let tag?): device = .tag(tag)
        case (nil, nil): throw APIFailure(status: 400, message: "Give the id of an installation, or a tag.")
        default: throw APIFailure(status: 400, message: "Give the id of an installation or a tag, not both.")
        }
        try request.api.call(
            PinCalls.pinVersion, model.id,
            body: PinBodies.PinVersionRequest(
                device, version: try fields.number("pin-version", "The version") ?? 0,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil))
        // Otherwise the browser would keep the form's place in the page, and the notice stands at the top.
        return .redirect(model.link("devices").done(.pinned).with(fragment: "main"))
    }

    static func unpin(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let device =
            request.fields.text("tag").map(PinBodies.Device.tag) ?? .installation(request.fields["installation"])
        try request.api.call(PinCalls.unpinVersion, model.id, body: PinBodies.UnpinRequest(device))
        return .redirect(model.link("devices").done(.unpinned))
    }
}
