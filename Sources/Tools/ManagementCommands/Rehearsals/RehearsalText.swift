import Foundation
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// A rehearsal's result as text.
struct RehearsalText {
    private let result: RehearsalBodies.Rehearsal
    private let model: String
    private let confidences: ConfidenceCells

    /// The most changed or failed images that are listed; `--json` has all.
    static let imageLimit = 40

    init(_ result: RehearsalBodies.Rehearsal, model: String) {
        self.result = result
        self.model = model
        let totals = [result.summary?.candidate, result.summary?.baseline].compactMap { $0?.meanConfidence }
        let answers = (result.images ?? []).flatMap { [$0.candidate, $0.baseline] }.compactMap { $0?.answers }.joined()
        confidences = ConfidenceCells(totals + answers.map(\.confidence))
    }

    func lines(width: Int?) -> [String] {
        guard let summary = result.summary else { return [] }
        let against = result.against.map { " with version \($0)" } ?? ""
        var lines = [
            "Version \(result.version) of '\(model)'\(against.isEmpty ? "" : ", compared\(against),") on \(summary.images) images:",
            "", totals(summary).text(width: width),
        ]
        if let labels = changedLabels(summary) { lines += ["", labels.text(width: width)] }
        lines += images(width: width)
        if summary.baseline == nil {
            lines += ["", "There is no other version to compare with, so nothing can have changed."]
        } else if let verdict = result.verdict {
            if verdict.passes { lines += ["", "It meets \(verdict.require)."] }
            if let notes = verdict.notes { lines += [""] + notes.map { "note: \($0.printable)" } }
        }
        return lines
    }

    private func totals(_ summary: RehearsalBodies.Summary) -> TextTable {
        let (new, old) = (summary.candidate, summary.baseline)
        var table = TextTable(
            [.text(""), .number("VERSION \(result.version)")]
                + (result.against.map { [.number("VERSION \($0)"), .number("CHANGE")] } ?? []))
        func row(_ title: String, _ new: String, _ old: String?, _ change: String) {
            table.append([title, new] + (summary.baseline == nil ? [] : [old ?? "-", change]))
        }
        if summary.baseline != nil {
            row("same answer", Self.share(summary.agreeing, summary.compared), "", "")
        }
        if summary.labeled > 0 {
            row(
                "expected answer", Self.share(new.correct, summary.labeled),
                old.map { Self.share($0.correct, summary.labeled) },
                old.map { Self.points(new.correct - $0.correct, summary.labeled) } ?? "")
        }
        if let old, let lost = summary.lost, summary.labeled > 0 {
            row("answers lost", "\(lost)", "", "")
            row("answers gained", "\(new.correct - old.correct + lost)", "", "")
        }
        row(
            "failed images", "\(new.failed)", old.map { "\($0.failed)" },
            old.map { Self.signed(new.failed - $0.failed) } ?? "")
        if let lost = summary.boxesLost, let found = summary.boxesFound, old != nil {
            row("boxes lost", "\(lost)", "", "")
            row("boxes found", "\(found)", "", "")
        }
        row(
            "mean confidence", confidence(new.meanConfidence), old.map { confidence($0.meanConfidence) },
            summary.confidenceShift.map(confidences.change) ?? "")
        row(
            "time of a run", Self.time(new.medianMicroseconds), old.map { Self.time($0.medianMicroseconds) },
            Self.ratio(new.medianMicroseconds, old?.medianMicroseconds))
        row(
            "memory", Self.memory(new.peakMemoryBytes), old.map { Self.memory($0.peakMemoryBytes) },
            Self.ratio(new.peakMemoryBytes, old?.peakMemoryBytes))
        return table
    }

    /// The expected answers of which the versions gave a different number.
    private func changedLabels(_ summary: RehearsalBodies.Summary) -> TextTable? {
        let rows = (summary.labels ?? []).filter { row in
            row.baselineCorrect.map { $0 != row.candidateCorrect } ?? true
        }
        guard !rows.isEmpty else { return nil }
        var table = TextTable(
            [.text("EXPECTED", isTruncatable: true), .number("IMAGES"), .number("VERSION \(result.version)")]
                + (result.against.map { [.number("VERSION \($0)")] } ?? []))
        for row in rows {
            table.append(
                [row.label.printable, "\(row.images)", "\(row.candidateCorrect)"]
                    + (row.baselineCorrect.map { ["\($0)"] } ?? []))
        }
        return table
    }

    /// The changed images, and those on which the version failed.
    private func images(width: Int?) -> [String] {
        let shown = (result.images ?? []).filter { $0.change != nil || $0.candidate.failure != nil }
        guard !shown.isEmpty else { return [] }
        var table = TextTable(
            [
                .text("IMAGE", isTruncatable: true), .text("EXPECTED", isTruncatable: true),
                .text("VERSION \(result.version)", isTruncatable: true),
            ]
                + (result.against.map { [.text("VERSION \($0)", isTruncatable: true)] } ?? []))
        for image in shown.prefix(Self.imageLimit) {
            table.append(
                [
                    image.name.printable, image.label?.printable ?? "-",
                    answer(image.candidate, lost: image.boxesFound),
                ]
                    + (result.against == nil
                        ? [] : [image.baseline.map { answer($0, lost: image.boxesLost) } ?? "-"]))
        }
        let rest = shown.count - Self.imageLimit
        return ["", table.text(width: width)] + (rest > 0 ? ["and \(rest) more images; --json lists all"] : [])
    }

    private func answer(_ answers: RehearsalBodies.Answers, lost count: Int?) -> String {
        if let failure = answers.failure { return "failed: \(failure.printable)" }
        if let count { return "\(count) boxes alone" }
        guard let best = answers.answers?.first else { return "no answer" }
        return "\(best.name.printable) \(confidences.text(best.confidence))"
    }

    private static func share(_ count: Int, _ total: Int) -> String {
        guard total > 0 else { return "-" }
        // Rounded down, so that 100 % is said of all only.
        let tenths = count * 1000 / total
        return "\(tenths / 10).\(tenths % 10)% (\(count) of \(total))"
    }

    private static func points(_ change: Int, _ total: Int) -> String {
        total > 0 ? String(format: "%+.1f points", Double(change) * 100 / Double(total)) : ""
    }

    private static func signed(_ change: Int) -> String { change == 0 ? "" : String(format: "%+d", change) }

    private func confidence(_ score: Double?) -> String { score.map(confidences.text) ?? "-" }

    private static func time(_ microseconds: Int?) -> String {
        microseconds.map { String(format: "%.2f ms", Double($0) / 1000) } ?? "-"
    }

    private static func memory(_ bytes: Int?) -> String { bytes.map { ByteCount.text(UInt64(max(0, $0))) } ?? "-" }

    private static func ratio(_ new: Int?, _ old: Int?) -> String {
        guard let new, let old, old > 0 else { return "" }
        return String(format: "x %.2f", Double(new) / Double(old))
    }
}
