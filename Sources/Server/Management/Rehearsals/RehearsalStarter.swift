import HearthCatalog
import HearthConcurrency
import HearthRouting
import HearthStorage
import HearthValidation

/// Starts the rehearsals of new versions, without a call. Use it from one thread at a time.
///
/// It looks at the newest version of each model with enough images, once it is validated: in each run of the server, so
/// that a rehearsal that a restart ended is run again.
final class RehearsalStarter: Sendable {
    /// Places in a project's queue that stay free for calls.
    private static let freePlaces = 2

    /// Images are added one by one: the set counts as complete when none was added for so long.
    private static let settlingMicroseconds: Int64 = 10_000_000

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let queue: RehearsalQueue
    private let requests: RehearsalRequests
    /// By the id of the model: the newest version that was looked at.
    private let seen = Lock<[Int64: Int]>([:])
    private let history: HistoryWatch

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ queue: RehearsalQueue) {
        self.context = context
        self.metadata = metadata
        self.queue = queue
        history = HistoryWatch(metadata)
        requests = RehearsalRequests(context, queue)
    }

    func start() throws {
        guard queue.isAvailable else { return }
        if history.hasChanged(metadata) { seen.withLock { $0 = [:] } }
        let known = seen.withLock { $0 }
        let least = queue.limits.leastImages
        let models = try metadata.read { store throws -> [Model] in
            try store.models(withRehearsalImages: least)
        }
        // A model that lost its images is looked at again when it has new ones.
        let ids = Set(models.map(\.id))
        seen.withLock { seen in seen = seen.filter { ids.contains($0.key) } }
        for model in models where model.newestVersion != known[model.id] && hasPlace(in: model.projectID) {
            let look = try metadata.read { store throws -> Look in try wanted(model, store) }
            if isDone(look) { seen.withLock { $0[model.id] = model.newestVersion } }
        }
    }

    /// Asked before anything is read: a project can have many models whose rehearsals wait for their turn.
    private func hasPlace(in project: String) -> Bool {
        queue.openCount(project: project) < queue.limits.waitingPerProject - Self.freePlaces
    }

    private enum Look {
        /// The version is not validated yet, or images are being added.
        case early
        /// The newest version is no model, or released already, or it was rehearsed.
        case nothing
        case request(RehearsalQueue.Request)
    }

    private func wanted(_ model: Model, _ store: any MetadataReader) throws -> Look {
        let state = try store.state(of: model, nowMicroseconds: context.nowMicroseconds)
        guard let newest = state.newest else { return .nothing }
        switch newest.validation.verdict {
        case .pending: return .early
        case .malformed: return .nothing
        case .ok, .unsupported: break
        }
        guard newest.version.sha256 != state.lastReleased?.version.sha256 else { return .nothing }
        let request = try requests.request(of: model, version: newest.version.number, actor: "server", store)
        let age = context.nowMicroseconds - (request.images.map(\.createdMicroseconds).max() ?? 0)
        guard !(0..<Self.settlingMicroseconds).contains(age) else { return .early }
        return try requests.result(of: request, store) == nil ? .request(request) : .nothing
    }

    /// Whether the version need not be looked at again.
    private func isDone(_ look: Look) -> Bool {
        switch look {
        case .early: false
        case .nothing: true
        // Refused if calls took the places meanwhile, or the server stops: no failure, the next round tries again.
        case .request(let request): (try? queue.add(request)) != nil
        }
    }
}
