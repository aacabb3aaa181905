import HearthArguments
import HearthLocalCommands
import HearthMigrationCheck
import HearthWire

struct MigrateCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find an app's calls of Firebase ML, ML Kit, TensorFlow Lite and Remote Config.",
        discussion: """
            The check reads Swift, Objective-C, Kotlin and Java, and the libraries in Podfile, Package.swift, Xcode projects, \
            Gradle files with their version catalogs, and AndroidManifest.xml. Of each call it says what stays, what changes \
            and to what, what has no counterpart, and the day on which it stops working.
            It compares names and knows no types, so it can miss a call that the app wraps in names of its own. Folders of \
            libraries and builds, such as Pods, are left out. It changes nothing. The exit code is 0 whatever it \
            finds, and 1 if there is nothing to read.
            """,
        examples: ["hearth migrate check ~/src/flowers-ios", "hearth migrate check . --json"])

    @Argument(help: "The app's folder.")
    var folder: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report = try MigrationCheck(folder: folder).run()
        if json { return try Output.json(report) }
        for (path, reason) in report.unread.sorted(by: { $0.key < $1.key }) {
            Output.note("warning: \(path.printable) was not read: \(reason)")
        }
        if report.findingsLeftOut > 0 {
            Output.note("warning: \(report.findingsLeftOut) more places are not listed. Check a smaller folder.")
        }
        guard report.filesRead > 0 else {
            throw CommandFailure(
                "There is no source file in \(folder) that the check reads. It reads Swift, Objective-C, Kotlin and Java."
            )
        }
        guard !report.findings.isEmpty else {
            return Output.line("No call of these libraries in \(report.filesRead) source files.")
        }
        for verdict in [APIVerdict.noCounterpart, .changes, .stays] { printAll(verdict, report) }
        Output.line(Self.summary(report))
    }

    /// The findings of one verdict. What to do stands once above the places, because most places say the same.
    private func printAll(_ verdict: APIVerdict, _ report: MigrationCheck.Report) {
        let findings = report.findings.filter { $0.verdict == verdict }
        guard !findings.isEmpty else { return }
        Output.line(Self.title(verdict))
        var advices: [Advice] = []
        for finding in findings where !advices.contains(Advice(finding)) { advices.append(Advice(finding)) }
        // What stops comes first.
        for advice in advices.filter({ $0.ends != nil }) + advices.filter({ $0.ends == nil }) {
            let end = advice.ends.map { ". With Google it stops on \($0)" } ?? ""
            let text = "\(advice.api)\(end). \(advice.text)"
            Output.line("\n" + text.wrapped(to: Terminal.standardOutputColumns, indent: 2, laterIndent: 2))
            for finding in findings where Advice(finding) == advice {
                Output.line("    \(finding.file.printable):\(finding.line)  \(finding.call.printable)")
            }
        }
        Output.line("")
    }

    private struct Advice: Equatable {
        var api: String
        var text: String
        var ends: String?

        init(_ finding: MigrationCheck.Finding) {
            api = finding.api
            text = finding.advice
            ends = finding.ends
        }
    }

    private static func title(_ verdict: APIVerdict) -> String {
        switch verdict {
        case .noCounterpart: "NOT IN HEARTH"
        case .changes: "CHANGES"
        case .stays: "STAYS AS IT IS"
        }
    }

    private static func summary(_ report: MigrationCheck.Report) -> String {
        let ending = Set(report.findings.compactMap(\.ends)).sorted()
        let counts =
            "\(report.findings.count) places in \(Set(report.findings.map(\.file)).count) of \(report.filesRead) source files."
        guard let first = ending.first else { return counts + " Google switches off nothing of it." }
        let count = report.findings.count { $0.ends != nil }
        return counts + " \(count) of them stop working on \(first). Next: hearth import firebase --help"
    }
}
