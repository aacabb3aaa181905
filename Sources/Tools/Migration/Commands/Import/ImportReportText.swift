import HearthArguments
import HearthFirebaseImport
import HearthLocalCommands
import HearthWire

/// The report of an import as text.
struct ImportReportText {
    private let report: ImportReport
    /// The folder with what came from Firebase.
    private let keep: String

    init(_ report: ImportReport, keep: String) {
        self.report = report
        self.keep = keep
    }

    func print(width: Int?) {
        Output.line(text(width: width))
        for model in report.models {
            for warning in model.warnings { Output.note("warning: \(model.name): \(warning.printable)") }
        }
    }

    /// - Parameter width: of the terminal; nil for whole lines.
    func text(width: Int?) -> String {
        var parts: [String] = []
        if !report.models.isEmpty { parts.append(table.text(width: width)) }
        parts += report.templates.map { Self.paragraph(line($0), width) }
        if !report.experiments.isEmpty { parts.append(experiments.text(width: width)) }
        for (title, lines) in lists where !lines.isEmpty {
            let lines = lines.map { $0.wrapped(to: width, indent: 2, laterIndent: 4) }
            parts.append(([Self.paragraph(title, width)] + lines).joined(separator: "\n"))
        }
        if let stopped = report.stopped {
            let end = stopped.hasSuffix(".") ? "" : "."
            parts.append(
                Self.paragraph("Stopped before the end: \(stopped.printable)\(end) The same command continues.", width))
        }
        // Whole lines, so that they can be copied.
        if !nextSteps.isEmpty { parts.append((["Next:"] + nextSteps.map { "  \($0)" }).joined(separator: "\n")) }
        let last =
            "Nobody has tried this import with Google's own services yet. Compare the result with the Firebase console."
        return (parts + [Self.paragraph(last, width)]).joined(separator: "\n\n")
    }

    private var lists: [(title: String, lines: [String])] {
        [
            ("Needs you:", needs),
            ("Different from before:", lost + report.different),
            ("Not in this source:", report.missing),
            ("Impossible, because Google does not export it:", report.impossible),
            (
                "Not compared with a hash, because the source names none:",
                report.unconfirmedModels.map { "\($0.name): \($0.sha256)" }
            ),
            ("Kept in \(keep), and unknown to Hearth:", unknown),
        ]
    }

    private var table: TextTable {
        var table = TextTable([
            "MODEL", .text("RESULT"), .number("VERSION"), .text("DEVICES", dropOrder: 1),
            .number("SIZE", dropOrder: 2), .text("SHA-256", dropOrder: 3),
        ])
        for model in report.models {
            table.append([
                model.name, result(model), model.version.map(String.init) ?? "-",
                model.result != .failed && model.isPublished ? "all" : "-", ByteCount.text(model.sizeBytes),
                model.sha256,
            ])
        }
        return table
    }

    private func result(_ model: ImportedModel) -> String {
        let would = report.isDryRun && model.result != .failed && model.result != .unchanged ? "would be " : ""
        let text =
            switch model.result {
            case .new: "new"
            case .newVersion: "new version"
            case .unchanged: "unchanged"
            case .published: "published"
            case .fetched: "in the folder"
            case .failed: "FAILED"
            }
        return would + text
    }

    private func line(_ template: ImportedTemplate) -> String {
        let versions = "\(Quantity.text(template.versions, "version")) up to \(template.newest)"
        guard !template.isOnlyKept else { return "Remote Config (\(template.namespace)): \(versions) in the folder." }
        let verb = report.isDryRun ? "would be imported" : "imported"
        let isWord = report.isDryRun ? "would be" : "is"
        let end = template.isActive ? ", and version \(template.newest) \(isWord) the active one" : ""
        return """
            Remote Config (\(template.namespace)): \(versions): \(template.imported) \(verb), \(template.unchanged) were there \
            already\(end).
            """
    }

    private var experiments: TextTable {
        var table = TextTable(["NAME", .text("KIND"), .text("STATE"), .text("RESULT"), .text("DRAFT", dropOrder: 1)])
        for experiment in report.experiments {
            let result =
                switch experiment.result {
                case .draft: report.isDryRun ? "would be a draft" : "draft"
                case .unchanged: "unchanged"
                case .definitionOnly: "only in the folder"
                }
            table.append([
                experiment.displayName.printable, experiment.kind, experiment.state.printable, result,
                experiment.name ?? "-",
            ])
        }
        return table
    }

    private var needs: [String] {
        let failed = report.models.compactMap { model in
            model.problem.map { "\(model.file.printable): \($0.printable)" }
        }
        let left = (report.problems + report.withoutBytes).map { "\($0.subject.printable): \($0.reason.printable)" }
        let templates = report.templates.flatMap { template in
            (template.problems + [template.waiting].compactMap { $0 } + template.conditions + template.todo).map {
                "Remote Config (\(template.namespace)): \($0.printable)"
            }
        }
        return failed + left + report.ignored.map { "\($0.file.printable): \($0.reason)" } + templates
            + report.experiments.filter(\.needsYou).map(Self.line)
    }

    /// What cannot go on as it was, one line each.
    private var lost: [String] {
        let values = report.templates.flatMap { template in
            template.values.map { "Remote Config (\(template.namespace)): \($0.printable)" }
        }
        return values + report.experiments.filter { !$0.needsYou && !$0.notes.isEmpty }.map(Self.line)
    }

    private static func line(_ experiment: ImportedExperiment) -> String {
        "\(experiment.kind) \(experiment.id.printable): \(experiment.notes.map(\.printable).joined(separator: "; "))"
    }

    private var unknown: [String] {
        let byMembers = Dictionary(grouping: report.unknownMembers, by: \.reason)
        return byMembers.sorted { $0.key < $1.key }.map { members, models in
            "\(members.printable): of \(models.count == 1 ? models[0].subject : "\(models.count) models")"
        }
            + report.templates.filter { !$0.unknownMembers.isEmpty }.map {
                "Remote Config (\($0.namespace)): \($0.unknownMembers.joined(separator: ", ").printable)"
            }
    }

    private var nextSteps: [String] {
        if report.stopped != nil { return ["Run the same command again."] }
        if report.isFetchOnly { return ["hearth import firebase \(keep)"] }
        // The folder had no model.
        guard !report.models.isEmpty || !report.templates.isEmpty || !report.experiments.isEmpty else { return [] }
        if report.isDryRun {
            return ["Run the command again without --dry-run. The server checks each model when it gets it."]
        }
        let open = report.models.filter { $0.result != .failed && $0.canBePublished }
        var next = open.filter { $0.wasPublished == true }.map { "hearth models publish \($0.name)" }
        if open.contains(where: { $0.wasPublished == nil }) {
            next.append("hearth models publish NAME: for each model that the Firebase console shows as published")
        }
        next += report.experiments.compactMap { experiment in
            experiment.result == .draft ? experiment.name.map { "hearth experiments start \($0)" } : nil
        }
        let apps = report.bundleIDs.isEmpty ? ["BUNDLE_ID"] : report.bundleIDs
        next += apps.map { "hearth keys api create \($0) --bundle-id \($0) --output \($0)-GoogleService-Info.plist" }
        return next + ["hearth migrate check FOLDER: once for the sources of each app"]
    }

    private static func paragraph(_ text: String, _ width: Int?) -> String {
        text.wrapped(to: width, indent: 0, laterIndent: 0)
    }
}
