import HearthWire

/// One requirement of a gate.
package struct RehearsalRequirement: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The least share of the images to which both versions give the same answer.
        case agreement
        /// How much the share of expected answers may change. `-1%` allows one percentage point less, `0%` nothing less,
        /// `+1%` requires one point more.
        case accuracy
        /// How much the share may change for each expected answer alone, so that a loss in one of many is not hidden.
        case labelAccuracy = "label-accuracy"
        /// The loss of expected answers that is allowed. It refuses only if the images show a larger one.
        case shownLoss = "shown-loss"
        /// The loss that is allowed for each expected answer alone. It refuses only if the images show a larger one.
        case labelShownLoss = "label-shown-loss"

        var needsExpectedAnswers: Bool { self != .agreement }
        /// Whether the value has a sign, so that nobody requires a rise who means to allow a fall.
        fileprivate var isSigned: Bool { self == .accuracy || self == .labelAccuracy }
    }

    package let kind: Kind
    /// In hundredths of a percent.
    let value: Int

    static let whole = 10_000
    /// How often a requirement that asks for a shown loss may refuse a version that lost no more than is allowed.
    static let level = 0.05

    /// Nil if the text is no requirement.
    ///
    /// - Throws: for more than two decimals.
    init?(_ text: String) throws(CatalogError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let kind = Kind(rawValue: sides[0].filter { $0 != " " }),
            let value = try Self.hundredths(sides[1].filter { $0 != " " }, isSigned: kind.isSigned)
        else { return nil }
        // No version can lose more than everything.
        let most = kind == .shownLoss || kind == .labelShownLoss ? Self.whole - 1 : Self.whole
        guard value <= most else { return nil }
        (self.kind, self.value) = (kind, value)
    }

    init(_ kind: Kind, _ value: Int) { (self.kind, self.value) = (kind, value) }

    /// The value as a share.
    var limit: Double { Double(value) / Double(Self.whole) }

    /// The canonical form.
    package var text: String { "\(kind.rawValue)=\(Self.percent(value, isSigned: kind.isSigned))" }

    /// One line for each way in which a comparison does not meet it.
    ///
    /// - Parameters:
    ///   - summary: of a rehearsal in which an image was compared, one with an expected answer if the requirement needs that.
    ///   - isShown: says whether a result shows a loss.
    func failures(of summary: RehearsalBodies.Summary, _ isShown: LossTest.Judge) -> [String] {
        let all = RehearsalBodies.LabelRow(
            label: "", images: summary.labeled, candidateCorrect: summary.candidate.correct,
            baselineCorrect: summary.baseline?.correct, lost: summary.lost)
        let rows = (summary.labels ?? []).map { ($0, " for \(OneLineText.quoted($0.label))") }
        switch kind {
        case .agreement: return [disagreement(summary)].compactMap { $0 }
        case .accuracy: return [fall(all, "")].compactMap { $0 }
        case .labelAccuracy: return rows.compactMap(fall)
        case .shownLoss, .labelShownLoss:
            guard summary.lost != nil else {
                return [
                    "no number of lost answers, because a server of an earlier version made the result: upgrade the server "
                        + "if it still has that version, then rehearse with --again"
                ]
            }
            guard kind == .labelShownLoss else { return [loss(all, "", Self.level, isShown)].compactMap { $0 } }
            // Each answer gets its part of the level, so that all together refuse no more often.
            return rows.compactMap { loss($0, $1, Self.level / Double(rows.count), isShown) }
        }
    }

    private func disagreement(_ summary: RehearsalBodies.Summary) -> String? {
        guard summary.agreeing * Self.whole < value * summary.compared else { return nil }
        return "the same answer on \(summary.agreeing) of \(summary.compared) images "
            + "(\(Self.share(summary.agreeing, summary.compared))), and \(Self.percent(value)) is required"
    }

    private func fall(_ row: RehearsalBodies.LabelRow, _ subject: String) -> String? {
        let before = row.baselineCorrect ?? 0
        guard (row.candidateCorrect - before) * Self.whole < value * row.images else { return nil }
        return
            "\(Self.change(row, subject)), and a change of at least \(Self.percent(value, isSigned: true)) is required"
    }

    private func loss(
        _ row: RehearsalBodies.LabelRow, _ subject: String, _ level: Double, _ isShown: LossTest.Judge
    ) -> String? {
        let lost = row.lost ?? -1
        let gained = row.candidateCorrect - (row.baselineCorrect ?? 0) + lost
        guard (1...RehearsalCounts.most).contains(row.images), lost >= 0, gained >= 0, lost + gained <= row.images
        else {
            return "the result's numbers of expected answers\(subject) contradict each other"
        }
        let test = LossTest(images: row.images, limit: limit, level: level)
        guard isShown(test, lost, gained) else { return nil }
        return "\(Self.change(row, subject)): \(lost) lost and \(gained) gained show a loss of more than "
            + "\(Self.percent(value)), which is the most that is allowed"
    }

    private static func change(_ row: RehearsalBodies.LabelRow, _ subject: String) -> String {
        let before = row.baselineCorrect ?? 0
        return "the expected answer\(subject) on \(row.candidateCorrect) of \(row.images) images, before on \(before) "
            + "(\(share(row.candidateCorrect - before, row.images, isSigned: true)))"
    }
}

/// Shares in hundredths of a percent.
extension RehearsalRequirement {
    /// `98%`, `-1%`, `+0.5%` in hundredths of a percent; nil for anything else. A signed value needs its sign.
    ///
    /// - Throws: for more than two decimals.
    private static func hundredths(_ text: String, isSigned: Bool) throws(CatalogError) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        var digits = text.dropLast()
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") {
            guard isSigned else { return nil }
            digits = digits.dropFirst()
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }),
            parts[0].count <= 3, let units = Int(parts[0])
        else { return nil }
        let decimals = parts.count == 2 ? parts[1].withoutFinalZeros : ""
        guard decimals.count <= 2 else { throw tooFine(text) }
        let value = units * 100 + (Int((decimals + "00").prefix(2)) ?? 0)
        guard value <= whole, !isSigned || isNegative || text.hasPrefix("+") || value == 0 else { return nil }
        return isNegative ? -value : value
    }

    /// Without decimals that are 0.
    static func percent(_ hundredths: Int, isSigned: Bool = false) -> String {
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
}
