import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// How commands report pins.
struct PinReport {
    let admin: AdminOptions
    /// The display name of the model, or the name of the experiment.
    let name: String

    func print(_ pins: [PinBodies.Pin], _ verb: String) throws {
        if admin.json { return try Output.json(PinBodies.List(pins: pins)) }
        for pin in pins { Output.success("\(verb) \(Self.device(pin)): \(Self.target(pin)) of '\(name)'.") }
    }

    func list(_ pins: [PinBodies.Pin], width: Int?, project: String?) throws {
        if admin.json { return try Output.json(PinBodies.List(pins: pins)) }
        guard !pins.isEmpty else { return Output.line("'\(name)' has no pins.") }
        var table = TextTable([
            .text("DEVICES", isTruncatable: true), .text("GET", isTruncatable: true),
            .text("CREATED (UTC)", dropOrder: 1), .text("BY", dropOrder: 2, isTruncatable: true),
        ])
        for pin in pins {
            table.append([
                Self.device(pin), Self.target(pin), TimeArgument.short(pin.createTime),
                ServiceAccountName.short(pin.createdBy, project: project),
            ])
        }
        Output.line(table.text(width: width))
    }

    /// `device:5a1e90c41d77`, or `tag qa`.
    static func device(_ pin: PinBodies.Pin) -> String {
        (pin.installation ?? "tag \(pin.tag ?? "")").printable
    }

    /// `version 3`, or `variant b`.
    static func target(_ pin: PinBodies.Pin) -> String {
        pin.version.map { "version \($0)" } ?? "variant \((pin.variant ?? "").printable)"
    }
}
