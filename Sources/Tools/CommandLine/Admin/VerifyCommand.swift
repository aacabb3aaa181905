import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthWire

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every record and every model file of a server or a backup.",
        discussion: """
            Works also while servers run, and changes nothing. The exit code is 1 if there is a problem.
            """,
        examples: [
            "hearth admin verify",
            "hearth admin verify --data /var/lib/hearth --json",
            "hearth admin verify --database postgresql://hearth@db.example/hearth --blobs s3://models --quick",
        ])

    @OptionGroup var place: DataPlaceOptions

    @Flag(help: "Look only whether model files are there with their lengths, and do not read them.")
    var quick = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report =
            switch try place.place {
            case .folder(let path): try DataVerifier(data: path, quick: quick).run()
            case .shared(let shared): try SharedDataVerifier(shared).run(quick: quick)
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
        let orphans = report.orphans.map { $0 == 0 ? "" : "; \($0) that no record names" } ?? ""
        return """
            \(found) in \(report.data): \(report.counts.text); \(Quantity.text(report.blobs, "model file")) \
            (\(ByteCount.text(report.blobBytes))) \(quick ? "there" : "read")\(trash)\(orphans)
            """
    }
}
