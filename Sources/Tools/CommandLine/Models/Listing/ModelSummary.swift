import HearthArguments
import HearthLocalCommands
import HearthWire

/// A model for people to read.
struct ModelSummary {
    private let model: ModelResource
    private let size: String?

    /// - Parameter size: of the newest version, in decimal digits.
    init(_ model: ModelResource, size: String?) {
        self.model = model
        self.size = size
    }

    /// The size stands beside the version that it is of: devices may get another one.
    static var table: TextTable {
        TextTable([
            "NAME", .number("NEWEST"), .number("SIZE"), .text("PUBLISHED", shrinks: true),
            .text("CHANGED (UTC)", yields: 1), .text("NOTE", yields: 2, shrinks: true),
        ])
    }

    var row: [String] {
        [
            model.displayName ?? "", version, sizeText, published, Moment.short(model.updateTime), note,
        ]
    }

    var lines: [String] {
        var lines = [
            "name:       \(model.displayName ?? "")",
            "resource:   \(model.name ?? "")",
            "version:    \(version)\(version == "-" ? "" : ", the newest")",
            "published:  \(published)",
            "tags:       \((model.tags ?? []).joined(separator: ", "))",
            "created:    \(model.createTime ?? "")",
            "changed:    \(model.updateTime ?? "")",
        ]
        if let check = model.hearth?.contractCheck { lines.append("contract:   \(check) changes") }
        if let version = model.hearth?.publishWhenValidated {
            lines.append("waiting:    version \(version) is published when its check is over")
        }
        if !note.isEmpty { lines.append("note:       \(note.printable)") }
        return lines + versionLines
    }

    /// What is shown of the newest version, which need not be the one that devices get.
    private var versionLines: [String] {
        guard let version = model.hearth?.version else { return [] }
        var lines = ["Version \(version):"]
        lines.append("size:       \(sizeText)")
        lines.append("sha256:     \(model.modelHash ?? "-")")
        if let contract = model.hearth?.contract { lines += ContractText.lines(contract) }
        return lines
    }

    private var version: String { model.hearth?.version.map(String.init) ?? "-" }

    private var published: String {
        // Some devices get another version than the others.
        let rollouts = (model.hearth?.rollouts ?? []).map { rollout in
            ReleaseSummary(rollout).reach + (rollout.state == "paused" ? ", paused" : "")
        }
        guard let released = model.hearth?.releasedVersion else {
            return rollouts.isEmpty ? "no" : rollouts.joined(separator: "; ")
        }
        return ([released == model.hearth?.version ? "yes" : "version \(released)"] + rollouts).joined(separator: "; ")
    }

    private var sizeText: String { size.flatMap { UInt64($0) }.map(ByteCount.text) ?? "-" }

    private var note: String {
        model.hearth?.validationDetail ?? model.state?.validationError?.message ?? model.hearth?.warning ?? ""
    }
}
