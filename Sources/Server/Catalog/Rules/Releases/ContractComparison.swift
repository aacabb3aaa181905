package import HearthWire

/// The differences between the contracts of two versions: what an app that was written for the one would notice with
/// the other.
package enum ContractComparison {
    /// The largest number of listed differences; the last line counts the rest.
    static let lineLimit = 50

    /// One difference.
    package struct Difference: Sendable, Hashable {
        package enum Place: String, Sendable {
            case input, output, signature, labels
            /// One of the contracts is not known.
            case contract
            case operators, metadata
        }

        package let place: Place
        /// What differs, such as `author`; nil where `text` says it.
        package let name: String?
        /// Nil if there was nothing.
        package let before: String?
        /// Nil if there is nothing any more.
        package let after: String?
        /// The whole difference in one line.
        package let text: String
    }

    /// One line for each difference; empty if there is none. Operators, title, author and similar members do not count.
    package static func differences(from old: ModelContract, to new: ModelContract) -> [String] {
        lines(details(from: old, to: new))
    }

    private static func lines(_ details: [Difference]) -> [String] {
        guard details.count > lineLimit else { return details.map(\.text) }
        return details.prefix(lineLimit).map(\.text) + ["and \(details.count - lineLimit) more differences"]
    }

    /// All differences, each with the values on both sides.
    package static func details(from old: ModelContract, to new: ModelContract) -> [Difference] {
        tensors(.input, old.inputs, new.inputs) + tensors(.output, old.outputs, new.outputs)
            + signatures(old.signatures, new.signatures) + labels(old, new)
    }

    /// What an app would notice; empty for the same file.
    package static func details(
        from old: ModelLifecycle.KnownVersion, to new: ModelLifecycle.KnownVersion
    ) -> [Difference] {
        guard old.version.sha256 != new.version.sha256 else { return [] }
        switch (old.contract, new.contract) {
        case (let old?, let new?): return details(from: old, to: new)
        case (nil, nil): return []
        case (nil, _?): return [unknown(old)]
        case (_?, nil): return [unknown(new)]
        }
    }

    /// That the contract of the version is not known.
    package static func unknown(_ known: ModelLifecycle.KnownVersion) -> Difference {
        Difference(
            place: .contract, name: nil, before: nil, after: nil,
            text: "the contract of version \(known.version.number) is not known")
    }

    /// Other differences, which apps do not notice: operators and metadata.
    package static func otherDetails(from old: ModelContract, to new: ModelContract) -> [Difference] {
        let texts = [
            ("title", old.title, new.title), ("summary", old.summary, new.summary), ("author", old.author, new.author),
            ("license", old.license, new.license),
        ]
        return operators(old.operators, new.operators)
            + texts.flatMap { difference(.metadata, $0, $1 ?? "none", $2 ?? "none") }
    }

    /// Whether the model allows the version to replace the last released one. It allows all if no version was released
    /// to all devices yet.
    package static func check(
        _ known: ModelLifecycle.KnownVersion, _ state: ModelLifecycle.State, isAllowed: Bool
    ) -> (warnings: [String], refusal: CatalogError?) {
        guard let released = state.lastReleased, released.version.sha256 != known.version.sha256 else {
            return ([], nil)
        }
        let differences = lines(details(from: released, to: known))
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
}

// MARK: - Parts

extension ContractComparison {
    /// By position, because apps write and read them by position.
    private static func tensors(
        _ place: Difference.Place, _ old: [ModelContract.Tensor], _ new: [ModelContract.Tensor]
    ) -> [Difference] {
        var found = difference(place, "number of \(place)s", String(old.count), String(new.count))
        for (index, (before, after)) in zip(old, new).enumerated() {
            let title = "\(place) \(index)"
            found += difference(place, "name of \(title)", before.name, after.name)
            found += difference(place, "type of \(title)", before.type, after.type)
            found += difference(place, "shape of \(title)", shape(before), shape(after))
            found += difference(place, "quantization of \(title)", quantization(before), quantization(after))
        }
        return found
    }

    /// The order of signatures does not matter.
    private static func signatures(_ old: [String], _ new: [String]) -> [Difference] {
        let before = Set(old)
        let after = Set(new)
        return before.subtracting(after).sorted().map { gone(.signature, $0) }
            + after.subtracting(before).sorted().map { added(.signature, $0) }
    }

    /// Old contracts contain a count of labels and no hash; then the count decides.
    private static func labels(_ old: ModelContract, _ new: ModelContract) -> [Difference] {
        let found = difference(.labels, "number of labels", count(old.labelCount), count(new.labelCount))
        guard found.isEmpty, let before = old.labelsSHA256, let after = new.labelsSHA256, before != after else {
            return found
        }
        return [
            Difference(
                place: .labels, name: nil, before: nil, after: nil, text: "labels are different, or in another order")
        ]
    }

    /// In order of name.
    private static func operators(_ old: [ModelContract.Operator], _ new: [ModelContract.Operator]) -> [Difference] {
        let before = Dictionary(old.map { ($0.name, $0.count) }) { first, _ in first }
        let after = Dictionary(new.map { ($0.name, $0.count) }) { first, _ in first }
        return Set(before.keys).union(after.keys).sorted().flatMap { name -> [Difference] in
            switch (before[name], after[name]) {
            case (_?, nil): [gone(.operators, name, "operator")]
            case (nil, _?): [added(.operators, name, "operator")]
            case (let old, let new):
                difference(
                    .operators, "number of \(OneLineText.word(name)) operators", count(old), count(new))
            }
        }
    }

    private static func gone(_ place: Difference.Place, _ name: String, _ kind: String? = nil) -> Difference {
        let kind = kind ?? place.rawValue
        return Difference(
            place: place, name: kind, before: OneLineText.word(name), after: nil,
            text: "\(kind) \(OneLineText.quoted(name)) is gone")
    }

    private static func added(_ place: Difference.Place, _ name: String, _ kind: String? = nil) -> Difference {
        let kind = kind ?? place.rawValue
        return Difference(
            place: place, name: kind, before: nil, after: OneLineText.word(name),
            text: "\(kind) \(OneLineText.quoted(name)) is new")
    }

    private static func difference(
        _ place: Difference.Place, _ title: String, _ old: String, _ new: String
    ) -> [Difference] {
        guard old != new else { return [] }
        let (before, after) = (OneLineText.word(old), OneLineText.word(new))
        return [
            Difference(
                place: place, name: title, before: before, after: after, text: "\(title) is \(after), was \(before)")
        ]
    }

    /// `1x224x224x3`; `?` for an open dimension.
    private static func shape(_ tensor: ModelContract.Tensor) -> String {
        tensor.shape.isEmpty ? "scalar" : tensor.shape.map { $0 < 0 ? "?" : String($0) }.joined(separator: "x")
    }

    private static func quantization(_ tensor: ModelContract.Tensor) -> String {
        guard let scale = tensor.scale else { return "none" }
        return "scale \(scale) zero point \(tensor.zeroPoint ?? 0)"
    }

    private static func count(_ number: Int?) -> String { number.map(String.init) ?? "none" }
}
