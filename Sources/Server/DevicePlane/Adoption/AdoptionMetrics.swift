import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthMetrics
import HearthRouting
import HearthStorage

/// Shows in the metrics how many installations have which version. The estimates are made from time to time, because
/// they read the samples of the models.
final class AdoptionMetrics: Sendable {
    /// The most models and the most versions of a model that have series.
    private static let modelLimit = 200
    private static let versionLimit = 5
    /// The most rows that one round reads, those of the largest models first.
    private static let rowLimit = 4_000_000
    /// After a round that reads no more rows than this, the next one comes soon.
    private static let fewRows = 100_000
    private static let pauseMicroseconds: Int64 = 60_000_000
    private static let longPauseMicroseconds: Int64 = 600_000_000

    private struct State {
        var samples: [ServerMetrics.Sample] = []
        var nextMicroseconds = Int64.min
    }

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let adoption: AdoptionRecorder
    private let state = Lock(State())

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ adoption: AdoptionRecorder) {
        self.context = context
        self.metadata = metadata
        self.adoption = adoption
    }

    func add(to metrics: ServerMetrics) {
        metrics.add(
            "hearth_model_devices", .gauge,
            "Installations by the version that they named last; an estimate, made every 10 minutes, of small fleets every minute."
        ) { [weak self] in self?.current ?? [] }
        metrics.add(
            "hearth_model_devices_dropped_total", .counter,
            "Questions of devices that are missing in the estimates because too many waited for the database."
        ) { [adoption] in Double(adoption.droppedCount) }
    }

    private var current: [ServerMetrics.Sample] { state.withLock { $0.samples } }

    /// One thread at a time.
    func refreshIfDue() throws {
        let now = context.monotonicMicroseconds
        guard state.withLock({ $0.nextMicroseconds <= now }) else { return }
        let (samples, rows) = try estimates()
        state.withLock { state in
            state.samples = samples
            state.nextMicroseconds =
                now + (rows > Self.fewRows ? Self.longPauseMicroseconds : Self.pauseMicroseconds)
        }
    }

    private func estimates() throws -> (samples: [ServerMetrics.Sample], rows: Int) {
        let today = AdoptionRecorder.day(context.nowMicroseconds)
        let models = try metadata.read { try $0.adoptionModels(limit: Self.modelLimit) }
        var samples: [ServerMetrics.Sample] = []
        var rows = 0
        for model in models {
            rows += model.rows
            guard rows <= Self.rowLimit else { break }
            let counts = try metadata.read { try $0.adoptionVersions(model: model.id, today: today) }
            let lines = AdoptionPresentation.versions(counts).prefix(Self.versionLimit)
            for line in lines {
                samples += line.devices.map { estimate in
                    ServerMetrics.Sample(
                        Double(estimate.count), ("project", model.projectID), ("model", model.displayName),
                        ("version", line.name), ("days", String(estimate.days)))
                }
            }
        }
        return (samples, rows)
    }
}
