import HearthApp
import HearthConcurrency
import HearthFiles
import HearthWire

/// The exposure of this installation to its variant of an experiment.
package struct Exposure: Hashable, Codable, Sendable {
    package var experiment: String
    package var variant: String
    /// When the experiment started, in the server's own form; nil when the server does not send it.
    package var start: String?
    /// The object that was used, such as a model.
    package var source: String
    /// The state of that object. The same exposure is reported once for each state.
    package var state: String

    package init(experiment: String, variant: String, start: String? = nil, source: String, state: String) {
        self.experiment = experiment
        self.variant = variant
        self.start = start
        self.source = source
        self.state = state
    }

    var isReportable: Bool { WireNames.isDisplayName(experiment) && WireNames.isDisplayName(variant) }
}

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

/// The exposures that this process has reported for one installation, so that repeated reports cost nothing. Use it
/// from any thread.
final class ReportedExposureCache: Sendable {
    private struct State {
        var exposures: Set<Exposure> = []
        var installationChangeCount = 0
    }

    private static let limit = 10_000

    private let state = Lock(State())

    /// Adds an exposure.
    ///
    /// - Parameter installationChangeCount: After a change, all exposures count as new, because another installation is
    ///   another unit in every experiment.
    /// - Returns: Whether the exposure is new.
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
