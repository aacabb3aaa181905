import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire

/// Starts rehearsals and reads their results. Only publishers may, because results show the team's images.
struct RehearsalRoutes {
    private let context: RouteContext

    private let queue: RehearsalQueue
    private let verdicts: VerdictWait
    private let requests: RehearsalRequests
    /// The rehearsals of all servers; nil for a server that is alone.
    private let openRehearsals: OpenRehearsals?

    init(
        _ context: RouteContext, _ queue: RehearsalQueue, _ verdicts: VerdictWait, _ openRehearsals: OpenRehearsals?
    ) {
        self.context = context
        self.queue = queue
        self.verdicts = verdicts
        self.openRehearsals = openRehearsals
        requests = RehearsalRequests(context, queue)
    }

    var routes: [CallRoute] {
        [
            context.on(RehearsalCalls.list) { try list($0) },
            context.on(RehearsalCalls.get) { try get($0) },
            context.onPending(RehearsalCalls.start) { try start($0) },
        ]
    }

    /// Newest first: those that run or failed, then the results.
    private func list(_ call: ReadCall) throws -> RehearsalBodies.List {
        let target = try ModelPath(call)
        // Asked before the store: a rehearsal that ends is stored, and then leaves the queue.
        let waiting = queue.open
        let (model, records, imageSet) = try call.read { store in
            let model = try target.model(store)
            return (
                model, try store.rehearsals(model: model.id),
                RehearsalImageSet.digest(of: try store.rehearsalImages(model: model.id))
            )
        }
        let open = waiting.filter { $0.request.model.id == model.id }
            .sorted { $0.requestedMicroseconds > $1.requestedMicroseconds }
        let found =
            try open.map(RehearsalPresentation.rehearsal)
            + records.map { try RehearsalPresentation.rehearsal($0, of: model, imageSet: imageSet) }
        let known = Set(found.map(\.rehearsal))
        let others = try openRehearsals?.others(model: model.id).filter { !known.contains($0.rehearsal) } ?? []
        let all = others + found
        return RehearsalBodies.List(rehearsals: all.isEmpty ? nil : all)
    }

    private func get(_ call: ReadCall) throws -> RehearsalBodies.Rehearsal {
        let (target, id) = (try ModelPath(call), call.path["rehearsal"])
        // Asked before the store: a rehearsal that ends is stored, and then leaves the queue.
        let waiting = queue.progress(id)
        let (model, open, stored) = try call.read { store in
            let model = try target.model(store)
            let open = waiting.flatMap { $0.request.model.id == model.id ? $0 : nil }
            return (model, open, try open == nil ? result(id, of: model, store) : nil)
        }
        // Judged after the read, so that nobody waits for it who wants to write.
        let found =
            try open.map(RehearsalPresentation.rehearsal)
            ?? stored.map { try RehearsalPresentation.rehearsal($0.record, of: model, imageSet: $0.imageSet) }
        let other = try found == nil ? openRehearsals?.others(model: model.id) : nil
        guard let found = found ?? other?.first(where: { $0.rehearsal == id }) else {
            throw APIError(
                .notFound,
                "The model has no such rehearsal; if the server was started again meanwhile, request it again.")
        }
        return found
    }

    /// A stored result with its images, and the digest of the model's present images.
    private func result(
        _ id: String, of model: Model, _ store: any MetadataReader
    ) throws -> (record: RehearsalRecord, imageSet: String)? {
        guard
            let known = try store.rehearsals(model: model.id).first(where: { RehearsalPresentation.id(of: $0) == id }),
            let record = try store.rehearsal(
                candidate: known.candidateSHA256, baseline: known.baselineSHA256, imageSet: known.imageSet,
                model: model.id)
        else { return nil }
        return (record, RehearsalImageSet.digest(of: try store.rehearsalImages(model: model.id)))
    }

    /// The result if there is one for these versions and images; otherwise the rehearsal that waits or runs.
    private func start(
        _ call: ChangeCall<RehearsalBodies.StartRequest>
    ) throws -> PendingAnswer<RehearsalBodies.Rehearsal> {
        let target = try ModelPath(call)
        let body = try call.body("a request for a rehearsal", isOptional: true)
        let wanted = try call.read { store in
            try ModelPath.version(body.version, of: target.model(store), store)
        }
        let answer = { @Sendable () throws -> RehearsalBodies.Rehearsal in
            let (request, result) = try call.read { store in
                let request = try requests.request(
                    of: try target.model(store), version: wanted.version.number, against: body.against,
                    actor: call.actor, store)
                return (request, try requests.result(of: request, store))
            }
            if body.again != true, let result {
                return try RehearsalPresentation.rehearsal(
                    result, of: request.model, imageSet: RehearsalImageSet.digest(of: request.images))
            }
            let others = try openRehearsals?.others(model: request.model.id) ?? []
            if let other = others.first(where: { $0.rehearsal == request.id && $0.failure == nil }) {
                return other
            }
            let progress = try queue.add(request)
            try openRehearsals?.show(progress)
            return RehearsalPresentation.rehearsal(progress)
        }
        guard wanted.validation.verdict == .pending else { return .ready(try answer()) }
        return .later(verdicts.wait(for: wanted.version.sha256), then: answer)
    }
}
