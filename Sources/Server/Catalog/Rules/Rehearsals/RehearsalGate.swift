package import HearthWire

/// What a rehearsal must show before a version is released, such as `agreement=98%,accuracy=-1%`.
///
/// - `agreement`: the least share of the images to which both versions give the same answer.
/// - `accuracy`: how much the share of expected answers may change, in percentage points. `-1%` allows one point less,
///   `0%` nothing less, `+1%` requires one point more.
/// - `label-accuracy`: the same for each expected answer alone, so that a loss in one of many is not hidden.
package struct RehearsalGate: Sendable, Hashable {
    /// In hundredths of a percent, like all others.
    package let agreement: Int?
    package let accuracy: Int?
    package let labelAccuracy: Int?

    private static let names = ["agreement", "accuracy", "label-accuracy"]
    private static let whole = 10_000

    /// - Throws: `invalidArgument`, whose text says what a gate looks like.
    package init(_ text: String) throws(CatalogError) {
        var values: [String: Int] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            let name = sides[0].filter { $0 != " " }
            guard sides.count == 2, Self.names.contains(name), values[name] == nil,
                let value = try Self.hundredths(sides[1].filter { $0 != " " }, isShare: name == "agreement")
            else { throw Self.malformed(String(part)) }
            values[name] = value
        }
        agreement = values["agreement"]
        accuracy = values["accuracy"]
        labelAccuracy = values["label-accuracy"]
    }

    /// The canonical form.
    package var text: String {
        [
            agreement.map { "agreement=\(Self.percent($0))" },
            accuracy.map { "accuracy=\(Self.percent($0, isSigned: true))" },
            labelAccuracy.map { "label-accuracy=\(Self.percent($0, isSigned: true))" },
        ].compactMap { $0 }.joined(separator: ",")
    }

    /// One line for each requirement that the result does not meet. Without a version to compare with there is nothing
    /// that could get worse, so all are met.
    package func failures(of summary: RehearsalBodies.Summary) -> [String] {
        guard let baseline = summary.baseline else { return [] }
        guard summary.compared > 0 else { return ["no image could be compared: both versions failed on all of them"] }
        var lines: [String] = []
        if let agreement, summary.agreeing * Self.whole < agreement * summary.compared {
            lines.append(
                "the same answer on \(summary.agreeing) of \(summary.compared) images "
                    + "(\(Self.share(summary.agreeing, summary.compared))), and \(Self.percent(agreement)) is required")
        }
        guard accuracy != nil || labelAccuracy != nil else { return lines }
        guard summary.labeled > 0 else {
            return lines + ["the accuracy is not known, because no image has an expected answer"]
        }
        let row = RehearsalBodies.LabelRow(
            label: "", images: summary.labeled, candidateCorrect: summary.candidate.correct,
            baselineCorrect: baseline.correct)
        if let accuracy, let line = Self.failure(row, accuracy, "") { lines.append(line) }
        if let labelAccuracy {
            lines += (summary.labels ?? []).compactMap { row in
                Self.failure(row, labelAccuracy, " for \(OneLineText.quoted(row.label))")
            }
        }
        return lines
    }

    /// The result of the comparison with these requirements.
    package func verdict(on summary: RehearsalBodies.Summary) -> RehearsalBodies.Verdict {
        RehearsalBodies.Verdict(require: text, failures: failures(of: summary))
    }

    private static func failure(_ row: RehearsalBodies.LabelRow, _ allowed: Int, _ subject: String) -> String? {
        let before = row.baselineCorrect ?? 0
        guard (row.candidateCorrect - before) * whole < allowed * row.images else { return nil }
        return "the expected answer\(subject) on \(row.candidateCorrect) of \(row.images) images, before on \(before) "
            + "(\(share(row.candidateCorrect - before, row.images, isSigned: true))), and a change of at least "
            + "\(percent(allowed, isSigned: true)) is required"
    }

    /// `98%`, `-1%`, `+0.5%` in hundredths of a percent. A change needs a sign, so that nobody requires a rise who means to
    /// allow a fall.
    ///
    /// - Throws: for more than two decimals.
    private static func hundredths(_ text: String, isShare: Bool) throws(CatalogError) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        var digits = text.dropLast()
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") {
            guard !isShare else { return nil }
            digits = digits.dropFirst()
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }),
            parts[0].count <= 3, let units = Int(parts[0])
        else { return nil }
        let decimals = parts.count == 2 ? parts[1].withoutFinalZeros : ""
        guard decimals.count <= 2 else { throw tooFine(text) }
        let value = units * 100 + (Int((decimals + "00").prefix(2)) ?? 0)
        guard value <= whole, isShare || isNegative || text.hasPrefix("+") || value == 0 else { return nil }
        return isNegative ? -value : value
    }

    /// Without decimals that are 0.
    private static func percent(_ hundredths: Int, isSigned: Bool = false) -> String {
        let size = abs(hundredths)
        var text = String(size / 100)
        if size % 100 != 0 {
            let decimals = String(size % 100 + 100).dropFirst()
            text += "." + (decimals.hasSuffix("0") ? decimals.dropLast() : decimals)
        }
        return (hundredths < 0 ? "-" : isSigned && hundredths > 0 ? "+" : "") + text + "%"
    }

    /// A share, rounded down to hundredths of a percent, so that it never looks better than it is.
    private static func share(_ count: Int, _ total: Int, isSigned: Bool = false) -> String {
        let (quotient, rest) = (count * whole).quotientAndRemainder(dividingBy: total)
        return percent(rest < 0 ? quotient - 1 : quotient, isSigned: isSigned)
    }

    private static func tooFine(_ value: String) -> CatalogError {
        CatalogError(
            .invalidArgument,
            "\(OneLineText.quoted(value)): a requirement is exact to a hundredth of a percent: write at most 2 digits behind the "
                + "point, such as 98.55%.")
    }

    private static func malformed(_ part: String) -> CatalogError {
        CatalogError(
            .invalidArgument,
            "\(OneLineText.quoted(part)) is not a requirement. Requirements are agreement=98% (0% to 100%), accuracy=-1% "
                + "(may fall by one point), accuracy=+1% (must rise by one) and label-accuracy=-10%, each at most once, joined by commas."
        )
    }
}
