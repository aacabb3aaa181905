import HearthApp
import HearthConcurrency
import HearthFiles
import HearthWire

/// The installation met its variant of an experiment.
package struct Exposure: Hashable, Codable, Sendable {
    package var experiment: String
    package var variant: String
    /// When the experiment started, in the server's words; nil where it did not say.
    package var start: String?
    /// What was used, such as a model.
    package var source: String
    /// Which state of it. The same exposure is reported once for each.
    package var state: String

    package init(experiment: String, variant: String, start: String? = nil, source: String, state: String) {
        self.experiment = experiment
        self.variant = variant
        self.start = start
        self.source = source
        self.state = state
    }

    var isReportable: Bool { ReportedNameRules.isValid(experiment) && ReportedNameRules.isValid(variant) }
}

/// The exposures that were reported from this device, so that a restart does not report them again. Pure, but for the file.
struct ReportedExposures: Codable, Sendable, Equatable {
    static let fileName = "exposures.json"
    static let limit = 1000
    private static let limitBytes = 4 << 20

    /// Of which installation; another one is a new unit of every experiment.
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

    /// None when there is no file, or it is not readable: reporting again does no harm.
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

/// The exposures that this process has reported of one installation, so that the next one who says the same costs nothing. Use
/// it from any thread.
final class ReportedExposureCache: Sendable {
    private struct State {
        var exposures: Set<Exposure> = []
        var installationChangeCount = 0
    }

    private static let limit = 10_000

    private let state = Lock(State())

    /// Whether nobody has said it before.
    ///
    /// - Parameter installationChangeCount: Another installation is another unit of every experiment.
    func insert(_ exposure: Exposure, installationChangeCount: Int) -> Bool {
        state.withLock { state in
            if state.installationChangeCount != installationChangeCount || state.exposures.count >= Self.limit {
                state = State(installationChangeCount: installationChangeCount)
            }
            return state.exposures.insert(exposure).inserted
        }
    }

    func clear() { state.withLock { $0.exposures = [] } }
}
