import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ReleaseExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which version an installation gets, and why.",
        discussion: """
            The facts about the device are those of its last call, if the server still remembers it. An option replaces one of \
            them.
            """,
        examples: [
            "hearth releases explain flowers --installation cJ3kd82_TnaVx0q9ZpLw7e",
            "hearth releases explain flowers --installation cJ3kd82_TnaVx0q9ZpLw7e --os ios --country CH",
        ])

    @OptionGroup var model: ModelName

    @Option(help: ArgumentHelp("Id of the installation, as the app shows it.", valueName: "id"))
    var installation: String

    @Option(help: ArgumentHelp("App version of the device, such as 2.10.0.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("Operating system of the device, such as ios.", valueName: "os"))
    var os: String?

    @Option(help: ArgumentHelp("Language of the device, such as de or pt-BR.", valueName: "language"))
    var language: String?

    @Option(help: ArgumentHelp("Country of the device, such as CH.", valueName: "country"))
    var country: String?

    @Option(help: ArgumentHelp("Tag of the device. May be given several times.", valueName: "tag"))
    var tag: [String] = []

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        var facts = DeviceDetails()
        (facts.appVersion, facts.os, facts.language, facts.country) = (appVersion, os, language, country)
        facts.tags = tag
        let explanation = try client.explain(model.find(client).resourceName(), for: installation, facts)
        if admin.json { return try Output.json(explanation) }
        Output.line(ExplanationText(explanation).text(width: tables.width))
    }
}

/// What an installation gets, and why, as text. Pure.
struct ExplanationText {
    private let explanation: ReleaseBodies.Explanation

    init(_ explanation: ReleaseBodies.Explanation) { self.explanation = explanation }

    /// - Parameter width: of the terminal; nil shows all.
    func text(width: Int?) -> String {
        var parts = [sentence]
        if let steps = explanation.experiments, steps.contains(where: { !$0.isIncluded }) {
            parts.append(table(steps).text(width: width))
        }
        if let steps = explanation.releases, !steps.isEmpty { parts.append(table(steps).text(width: width)) }
        parts.append(notes.joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }

    /// `device:5a1e90c41d77 gets version 2 of 'flowers': release 3 includes it.`
    var sentence: String {
        let device = explanation.installation.printable
        guard let version = explanation.version else {
            return "\(device) gets no version of '\(explanation.model)': no release includes it."
        }
        return "\(device) gets version \(version) of '\(explanation.model)': \(reason)."
    }

    private var reason: String {
        switch explanation.reason {
        case "pin":
            guard let pin = explanation.pin else { return "a pin" }
            let whose = pin.tag.map { "its tag \($0.printable) is pinned" } ?? "it is pinned"
            let experiment = explanation.experiment.map { " of the experiment '\($0.printable)'" } ?? ""
            return "\(whose) to \(PinReport.target(pin))\(experiment)"
        case "experiment":
            return "variant '\((explanation.variant ?? "").printable)' of the experiment "
                + "'\((explanation.experiment ?? "").printable)'"
        default:
            let release = explanation.releases?.last { $0.isIncluded }.map { "release \($0.release)" }
            return "\(release ?? "a release") includes it"
        }
    }

    private func table(_ steps: [ReleaseBodies.Explanation.ExperimentStep]) -> TextTable {
        var table = TextTable([
            "EXPERIMENT", .number("SHARE"), .text("AUDIENCE", isTruncatable: true),
            .text("INCLUDES THE DEVICE", isTruncatable: true),
        ])
        for step in steps {
            table.append([
                step.experiment.printable, Share(fraction: step.share).text, step.audience?.printable ?? "all devices",
                InclusionText.text(step),
            ])
        }
        return table
    }

    private func table(_ steps: [ReleaseBodies.Explanation.Step]) -> TextTable {
        var table = TextTable([
            .number("RELEASE"), .number("VERSION"), .text("STATE", dropOrder: 1), .number("SHARE"),
            .text("AUDIENCE", isTruncatable: true), .text("INCLUDES THE DEVICE", isTruncatable: true),
        ])
        for step in steps {
            table.append([
                String(step.release), String(step.version), step.state, Share(fraction: step.share).text,
                AudienceText.text(step.audience),
                InclusionText.text(
                    step, explanation.facts, share: Share(fraction: step.share).text,
                    number: step.number.map { ResultNumberText.percent($0, digits: 4) }),
            ])
        }
        return table
    }

    private var notes: [String] {
        var notes: [String] = []
        let facts = explanation.facts
        let given = facts.given ?? []
        if let time = facts.lastCallTime {
            let replaced = given.isEmpty ? "" : "; from the options: \(given.joined(separator: ", "))"
            notes.append("Facts of its last call at \(TimeArgument.short(time)) UTC\(replaced): \(facts.summary).")
        } else if given.isEmpty {
            notes.append(
                "The server remembers no call of this installation in which the device mattered. Its facts are unknown; give them "
                    + "as options: --os, --app-version, --language, --country, --tag.")
        } else {
            notes.append("Facts from the options, because the server remembers no call: \(facts.summary).")
        }
        if explanation.isPinned { notes.append("The device has a pin, so experiments do not count it.") }
        if !explanation.isRegistered { notes.append("No installation with this id is registered; check the id.") }
        return notes
    }
}

extension ReleaseBodies.Explanation.Facts {
    /// `os ios, app version 2.10, language unknown, country CH, tags beta`.
    fileprivate var summary: String {
        let tags = (tags ?? []).map(\.printable).joined(separator: ", ")
        let single = [("os", os), ("app version", appVersion), ("language", language), ("country", country)]
        return single.map { "\($0) \($1?.printable ?? "unknown")" }.joined(separator: ", ")
            + (tags.isEmpty ? ", no tags" : ", tags \(tags)")
            + (knownHash.map { ", has \($0.prefix(12).description.printable)" } ?? "")
    }
}
