package import HearthWire

/// The differences between the contracts of two versions: what an app that was written for the one would notice with
/// the other.
package enum ContractComparison {
    /// The largest number of listed differences; the last line counts the rest.
    static let lineLimit = 50

    /// One line for each difference; empty if there is none. Operators, title, author and similar members do not count.
    package static func differences(from old: ModelContract, to new: ModelContract) -> [String] {
        var lines = tensors("input", old.inputs, new.inputs) + tensors("output", old.outputs, new.outputs)
        lines += signatures(old.signatures, new.signatures)
        lines += labels(old, new)
        guard lines.count > lineLimit else { return lines }
        return lines.prefix(lineLimit) + ["and \(lines.count - lineLimit) more differences"]
    }

    /// Whether the model allows the version to replace the last released one. It allows all if no version was released
    /// to all devices yet.
    package static func check(
        _ known: ModelLifecycle.KnownVersion, _ state: ModelLifecycle.State, isAllowed: Bool
    ) -> (warnings: [String], refusal: CatalogError?) {
        guard let released = state.lastReleased, released.version.sha256 != known.version.sha256 else {
            return ([], nil)
        }
        let differences = differences(from: released, to: known)
        guard !differences.isEmpty else { return ([], nil) }
        guard state.model.contractCheck == .refuse, !isAllowed else { return (differences, nil) }
        let more = differences.count > 3 ? "; and \(differences.count - 3) more" : ""
        return (
            [],
            CatalogError(
                .failedPrecondition,
                "Version \(known.version.number) is stored, but does not fit apps written for version "
                    + "\(released.version.number): \(differences.prefix(3).joined(separator: "; "))\(more). To release "
                    + "it nevertheless, give --allow-contract-change (hearth models publish, hearth releases, hearth "
                    + "experiments; allowContractChange in a call), or set the model's contract check to warn.")
        )
    }

    private static func differences(
        from old: ModelLifecycle.KnownVersion, to new: ModelLifecycle.KnownVersion
    ) -> [String] {
        switch (old.contract, new.contract) {
        case (let old?, let new?): return differences(from: old, to: new)
        case (nil, nil): return []
        case (nil, _?): return ["the contract of version \(old.version.number) is not known"]
        case (_?, nil): return ["the contract of version \(new.version.number) is not known"]
        }
    }
}

// MARK: - Parts

extension ContractComparison {
    /// By position, because apps write and read them by position.
    private static func tensors(
        _ kind: String, _ old: [ModelContract.Tensor], _ new: [ModelContract.Tensor]
    ) -> [String] {
        var lines = difference("number of \(kind)s", String(old.count), String(new.count))
        for (index, (before, after)) in zip(old, new).enumerated() {
            let title = "\(kind) \(index)"
            lines += difference("name of \(title)", before.name, after.name)
            lines += difference("type of \(title)", before.type, after.type)
            lines += difference("shape of \(title)", shape(before), shape(after))
            lines += difference("quantization of \(title)", quantization(before), quantization(after))
        }
        return lines
    }

    /// The order of signatures does not matter.
    private static func signatures(_ old: [String], _ new: [String]) -> [String] {
        let before = Set(old)
        let after = Set(new)
        return before.subtracting(after).sorted().map { "signature \(OneLineText.quoted($0)) is gone" }
            + after.subtracting(before).sorted().map { "signature \(OneLineText.quoted($0)) is new" }
    }

    /// Old contracts contain a count of labels and no hash; then the count decides.
    private static func labels(_ old: ModelContract, _ new: ModelContract) -> [String] {
        let lines = difference("number of labels", count(old.labelCount), count(new.labelCount))
        guard lines.isEmpty, let before = old.labelsSHA256, let after = new.labelsSHA256, before != after else {
            return lines
        }
        return ["labels are different, or in another order"]
    }

    private static func difference(_ title: String, _ old: String, _ new: String) -> [String] {
        old == new ? [] : ["\(title) is \(OneLineText.word(new)), was \(OneLineText.word(old))"]
    }

    /// `1x224x224x3`; `?` for an open dimension.
    private static func shape(_ tensor: ModelContract.Tensor) -> String {
        tensor.shape.isEmpty ? "scalar" : tensor.shape.map { $0 < 0 ? "?" : String($0) }.joined(separator: "x")
    }

    private static func quantization(_ tensor: ModelContract.Tensor) -> String {
        guard let scale = tensor.scale else { return "none" }
        return "scale \(scale) zero point \(tensor.zeroPoint ?? 0)"
    }

    private static func count(_ labels: Int?) -> String { labels.map(String.init) ?? "none" }
}
