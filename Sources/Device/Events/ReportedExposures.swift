import HearthApp
import HearthConcurrency
import HearthFiles
import HearthWire

/// The exposures that were reported from this device, so that a restart does not report them again. Pure, except for
/// reading and writing the file.
struct ReportedExposures: Codable, Sendable, Equatable {
    static let fileName = "exposures.json"
    static let limit = 1000
    private static let limitBytes = 4 << 20

    /// The installation's id. Another installation is a new unit in every experiment.
    var installation: String
    /// Oldest first; one for each experiment and source.
    private(set) var exposures: [Exposure] = []

    init(installation: String) { self.installation = installation }

    func contains(_ exposure: Exposure) -> Bool { exposures.contains(exposure) }

    func adding(_ exposure: Exposure) -> ReportedExposures {
        var new = self
        new.exposures.removeAll { $0.experiment == exposure.experiment && $0.source == exposure.source }
        new.exposures = Array((new.exposures + [exposure]).suffix(Self.limit))
        return new
    }

    /// Reads the exposures; empty when the file is missing or not readable, because reporting again does no harm.
    static func load(_ folder: JournalFolder, of installation: String) -> ReportedExposures {
        guard let bytes = try? folder.files.read(path(folder), limitBytes: limitBytes),
            let marks = try? WireJSON.decode(ReportedExposures.self, from: bytes), marks.installation == installation
        else { return ReportedExposures(installation: installation) }
        return marks
    }

    func save(_ folder: JournalFolder) throws(FileError) {
        guard let bytes = try? WireJSON.encode(self) else {
            throw FileError(.io, "Cannot encode the record of exposures")
        }
        try AtomicFile.write(bytes, to: Self.path(folder), files: folder.files)
    }

    static func clear(_ folder: JournalFolder) throws(FileError) {
        guard try folder.files.size(path(folder)) != nil else { return }
        try folder.files.remove(path(folder))
    }

    private static func path(_ folder: JournalFolder) -> String { FilePath.join(folder.path, fileName) }
}
