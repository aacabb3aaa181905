import HearthLocalCommands
import HearthWire

/// A model for people to read.
struct ModelSummary {
    private let model: ModelResource
    private let sizeBytes: String?

    /// - Parameter sizeBytes: what to show as its size, in decimal digits.
    init(_ model: ModelResource, sizeBytes: String?) {
        self.model = model
        self.sizeBytes = sizeBytes
    }

    var row: [String] {
        [
            model.displayName ?? "", version, published, size, String((model.updateTime ?? "").prefix(19)), note,
        ]
    }

    var lines: [String] {
        var lines = [
            "name:       \(model.displayName ?? "")",
            "resource:   \(model.name ?? "")",
            "version:    \(version)",
            "published:  \(published)",
            "size:       \(size)",
            "sha256:     \(model.modelHash ?? "-")",
            "tags:       \((model.tags ?? []).joined(separator: ", "))",
            "created:    \(model.createTime ?? "")",
            "changed:    \(model.updateTime ?? "")",
        ]
        if let check = model.hearth?.contractCheck { lines.append("contract:   \(check) changes") }
        if let version = model.hearth?.publishWhenValidated {
            lines.append("waiting:    version \(version) is published when its check is over")
        }
        if !note.isEmpty { lines.append("note:       \(note.printable)") }
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

    private var size: String { sizeBytes.flatMap { UInt64($0) }.map(ByteCount.text) ?? "-" }

    private var note: String {
        model.hearth?.validationDetail ?? model.state?.validationError?.message ?? model.hearth?.warning ?? ""
    }
}
