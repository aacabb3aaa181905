import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthWire

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every record and every model file of a server or a backup.",
        discussion: """
            Works also while servers run, and changes nothing without --repair. Run it as the user of the server, who owns the \
            files. The exit code is 1 if there is a problem that remains.
            """,
        examples: [
            "hearth admin verify --data /var/lib/hearth --json",
            "hearth admin verify --data /var/lib/hearth --repair /var/backups/hearth/2026-11-27",
            "hearth admin verify --database postgresql://hearth@db.example/hearth --blobs s3://models --quick",
        ])

    @OptionGroup var place: DataPlaceOptions

    @Flag(help: "Look only whether model files are there with their lengths, and do not read them.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Replace damaged and missing model files by right copies from this folder. May be given several times.",
            discussion: """
                A server's data folder, with the cache of a server that has its files in a store, or a backup. Nothing is taken \
                without the right hash, and nothing is deleted. The report names files that cannot be replaced.
                """,
            valueName: "folder"))
    var repair: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let source = repair.isEmpty ? nil : try RepairSource(repair)
        let report =
            switch try place.place {
            case .folder(let path): try DataVerifier(data: path, quick: quick, repairingFrom: source).run()
            case .shared(let shared): try SharedDataVerifier(shared).run(quick: quick, repairingFrom: source)
            }
        if json {
            try Output.json(report)
        } else {
            for problem in report.problems {
                Output.line("\(problem.kind) \(problem.subject.printable): \(problem.text.printable)")
                Output.line("    \(problem.remedy.printable)")
            }
            Output.line(summary(report))
        }
        if !report.isClean { throw ExitCode.failure }
    }

    private func summary(_ report: DataVerifier.Report) -> String {
        let found = report.isClean ? "All is well" : Quantity.text(report.problems.count, "problem")
        let trash = report.setAside == 0 ? "" : "; \(report.setAside) in the trash"
        let repaired = report.repaired.map { "; \($0) repaired" } ?? ""
        let orphans = report.orphans.map { $0 == 0 ? "" : "; \($0) that no record names" } ?? ""
        return """
            \(found) in \(report.data): \(report.counts.text); \(Quantity.text(report.blobs, quick ? "model file" : "right model file")) \
            (\(ByteCount.text(report.blobBytes)))\(quick ? " there" : "")\(repaired)\(trash)\(orphans)
            """
    }
}
