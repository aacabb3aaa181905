import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ModelCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show how a version differs from another one: contract, size, time and memory.",
        discussion: """
            It compares what the server knows about the files, and runs nothing. The server checks the same contract before a \
            release. To compare the answers, use `hearth models try` or `hearth models rehearse`.
            """,
        examples: [
            "hearth models compare flowers 2 3",
            "hearth models compare flowers champion challenger --json",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "The version to compare with: a number or an alias.")
    var old: VersionArgument

    @Argument(help: "The version that would replace it: a number or an alias.")
    var new: VersionArgument

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let numbers = (old: try old.number(of: name, client), new: try new.number(of: name, client))
        let comparison = try client.compareVersion(numbers.new, with: numbers.old, of: name)
        if admin.json { return try Output.json(comparison) }
        for line in ComparisonText(comparison).lines(width: tables.width) { Output.line(line) }
    }
}

/// The comparison of two versions as text.
struct ComparisonText {
    private let comparison: VersionComparison

    init(_ comparison: VersionComparison) { self.comparison = comparison }

    func lines(width: Int?) -> [String] {
        let (old, new) = (comparison.with, comparison.version)
        var lines = [table(old, new).text(width: width)]
        let affecting = comparison.differences.filter(\.affectsApps)
        let others = comparison.differences.filter { !$0.affectsApps }
        lines += list("What an app may notice:", affecting) + list("Other differences:", others)
        if let omitted = comparison.omittedDifferences { lines.append("- and \(omitted) more differences") }
        let verdict =
            old.modelHash == new.modelHash
            ? "Versions \(old.version) and \(new.version) are the same file."
            : comparison.fitsApps
                ? "Version \(new.version) fits apps written for version \(old.version)."
                : "Version \(new.version) may not fit apps written for version \(old.version)."
        return lines + ["", verdict]
    }

    private func list(_ title: String, _ differences: [VersionComparison.Difference]) -> [String] {
        differences.isEmpty ? [] : ["", title] + differences.map { "- \($0.text.printable)" }
    }

    private func table(_ old: VersionComparison.Side, _ new: VersionComparison.Side) -> TextTable {
        var table = TextTable([
            .text(""), .number("VERSION \(old.version)"), .number("VERSION \(new.version)"), .number("CHANGE"),
        ])
        func row(_ title: String, _ before: Int?, _ after: Int?, _ text: (Int) -> String) {
            let ratio = before.flatMap { before in
                after.flatMap { before > 0 ? String(format: "x %.2f", Double($0) / Double(before)) : nil }
            }
            table.append([title, before.map(text) ?? "-", after.map(text) ?? "-", ratio ?? ""])
        }
        table.append(["verdict", old.verdict, new.verdict])
        row("size", Int(old.sizeBytes), Int(new.sizeBytes), Self.bytes)
        row("time of a run", old.figures?.medianMicroseconds, new.figures?.medianMicroseconds, MeasurementsText.time)
        row("time to load", old.figures?.loadMicroseconds, new.figures?.loadMicroseconds, MeasurementsText.time)
        row("memory", old.figures?.peakMemoryBytes, new.figures?.peakMemoryBytes, Self.bytes)
        return table
    }

    private static func bytes(_ count: Int) -> String { ByteCount.text(UInt64(max(0, count))) }
}
