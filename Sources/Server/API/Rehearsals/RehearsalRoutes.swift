import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthValidation
import HearthWire

/// Starts rehearsals and reads their results. Only publishers may, because results show the team's images.
struct RehearsalRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let collection = "hearth/v1/projects/{project}/models/{model}/rehearsals"

    private var queue: RehearsalQueue { context.services.rehearsals }

    var routes: [Route] {
        [
            Route(.get, Self.collection) { head, path in
                context.queued(head, check: { try publisher(head, path) }) { call, _, _ in try list(call, path) }
            },
            Route(.get, Self.collection + "/{rehearsal}") { head, path in
                context.queued(head, check: { try publisher(head, path) }) { call, _, _ in try get(call, path) }
            },
            Route(.post, Self.collection) { head, path in
                context.queuedWriteAwaitingCheck(head, check: { try publisher(head, path) }) { call, _, bytes in
                    try start(call, path, bytes)
                }
            },
        ]
    }

    private func publisher(_ head: RequestHead, _ path: RouteParameters) throws -> AdminCall {
        try context.adminCall(head, project: path["project"], atLeast: .publisher)
    }

    /// Newest first: those that run or failed, then the results.
    private func list(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let (model, records, imageSet) = try context.services.metadata.read { store in
            let model = try target.model(store)
            return (
                model, try store.rehearsals(model: model.id),
                RehearsalImageSet.digest(of: try store.rehearsalImages(model: model.id))
            )
        }
        let open = queue.progress(model: model.id).sorted { $0.requestedMicroseconds > $1.requestedMicroseconds }
        let found =
            try open.map(RehearsalPresentation.rehearsal)
            + records.map { try RehearsalPresentation.rehearsal($0, of: model, imageSet: imageSet) }
        return try context.json(RehearsalBodies.List(rehearsals: found.isEmpty ? nil : found))
    }

    private func get(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let (target, id) = (try ModelPath(call, path), path["rehearsal"])
        let found = try context.services.metadata.read { store -> RehearsalBodies.Rehearsal? in
            let model = try target.model(store)
            if let open = queue.progress(id), open.request.model.id == model.id {
                return RehearsalPresentation.rehearsal(open)
            }
            guard
                let known = try store.rehearsals(model: model.id).first(where: {
                    RehearsalPresentation.id(of: $0) == id
                }),
                let record = try store.rehearsal(
                    candidate: known.candidateSHA256, baseline: known.baselineSHA256, imageSet: known.imageSet,
                    model: model.id)
            else { return nil }
            let images = try store.rehearsalImages(model: model.id)
            return try RehearsalPresentation.rehearsal(
                record, of: model, imageSet: RehearsalImageSet.digest(of: images))
        }
        guard let found else {
            throw APIError(
                .notFound,
                "The model has no such rehearsal; if the server was started again meanwhile, request it again.")
        }
        return try context.json(found)
    }

    /// The result if there is one for these versions and images; otherwise the rehearsal that waits or runs.
    private func start(_ call: AdminCall, _ path: RouteParameters, _ bytes: [UInt8]) throws -> PendingResponse {
        let target = try ModelPath(call, path)
        let body = try RequestJSON.decode(
            RehearsalBodies.StartRequest.self, bytes, what: "a request for a rehearsal", isOptional: true)
        let wanted = try context.services.metadata.read { store in
            try ModelPath.version(body.version, of: target.model(store), store)
        }
        let answer = { @Sendable () throws -> Response in
            let request = try request(call, target, body, version: wanted.version.number)
            if body.again != true, let result = try result(of: request) { return try context.json(result) }
            return try context.json(RehearsalPresentation.rehearsal(try queue.add(request)))
        }
        guard wanted.validation.verdict == .pending else { return .ready(try answer()) }
        return .afterValidation(sha256: wanted.version.sha256, then: answer)
    }

    private func request(
        _ call: AdminCall, _ target: ModelPath, _ body: RehearsalBodies.StartRequest, version: Int
    ) throws -> RehearsalQueue.Request {
        try context.services.metadata.read { store in
            let model = try target.model(store)
            let images = try store.rehearsalImages(model: model.id)
            guard images.count >= queue.limits.leastImages else {
                throw CatalogError(
                    .failedPrecondition,
                    "The model '\(model.displayName)' has \(images.count) images, and a rehearsal needs at least "
                        + "\(queue.limits.leastImages): hearth models images add \(model.displayName) FOLDER")
            }
            let candidate = try usable(version, of: model, store)
            let released = try store.state(of: model, nowMicroseconds: context.nowMicroseconds).lastReleased
            let baseline = try body.against.map { try usable($0, of: model, store) } ?? released
            let compared = baseline.flatMap { $0.version.sha256 == candidate.version.sha256 ? nil : $0.version }
            return RehearsalQueue.Request(
                model: model, candidate: candidate.version, baseline: compared, images: images, actor: call.actor)
        }
    }

    private func usable(
        _ number: Int, of model: Model, _ store: any MetadataReader
    ) throws -> ModelLifecycle.KnownVersion {
        let known = try ModelPath.version(number, of: model, store)
        switch known.validation.verdict {
        case .ok, .unsupported: return known
        case .pending: throw CatalogError(.failedPrecondition, "Version \(number) is still being validated; try again.")
        case .malformed: throw CatalogError(.failedPrecondition, "Version \(number) is not a valid model.")
        }
    }

    private func result(of request: RehearsalQueue.Request) throws -> RehearsalBodies.Rehearsal? {
        try context.services.metadata.read { store in
            let imageSet = RehearsalImageSet.digest(of: request.images)
            return try store.rehearsal(
                candidate: request.candidate.sha256, baseline: request.baseline?.sha256 ?? "", imageSet: imageSet,
                model: request.model.id
            ).map { try RehearsalPresentation.rehearsal($0, of: request.model, imageSet: imageSet) }
        }
    }
}
