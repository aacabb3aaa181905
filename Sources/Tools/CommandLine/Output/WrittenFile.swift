import HearthLocalCommands

/// How commands say where their result is: not at all where that goes on to somebody else.
struct WrittenFile {
    private struct Report: Encodable {
        let file: String
    }

    private let target: OutputFile

    init(_ target: OutputFile) { self.target = target }

    func tell(asJSON: Bool) throws {
        guard !target.isStream else { return }
        if asJSON { return try Output.json(Report(file: target.path)) }
        Output.success("Wrote \(target.path).")
    }
}
