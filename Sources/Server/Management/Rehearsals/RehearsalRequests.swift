import HearthCatalog
import HearthRouting
import HearthStorage
import HearthValidation

/// Makes the requests for rehearsals, and finds the results that exist already.
struct RehearsalRequests {
    private let context: RouteContext
    private let leastImages: Int

    init(_ context: RouteContext, _ queue: RehearsalQueue) {
        self.context = context
        leastImages = queue.limits.leastImages
    }

    /// - Parameters:
    ///   - version: the one to rehearse.
    ///   - baseline: the version to compare it with; nil for the one that all devices get, or got last.
    /// - Throws: `failedPrecondition` if the model has too few images, or a version cannot run.
    func request(
        of model: Model, version: Int, against baseline: Int? = nil, actor: String, _ store: any MetadataReader
    ) throws -> RehearsalQueue.Request {
        let images = try store.rehearsalImages(model: model.id)
        guard images.count >= leastImages else {
            throw CatalogError(
                .failedPrecondition,
                "The model '\(model.displayName)' has \(images.count) images, and a rehearsal needs at least "
                    + "\(leastImages): hearth models images add \(model.displayName) FOLDER")
        }
        let candidate = try usable(version, of: model, store)
        let released = try store.state(of: model, nowMicroseconds: context.nowMicroseconds).lastReleased
        if let baseline, try usable(baseline, of: model, store).version.sha256 == candidate.version.sha256 {
            throw CatalogError(
                .failedPrecondition,
                "Versions \(version) and \(baseline) of '\(model.displayName)' are the same file, so there is nothing to compare."
            )
        }
        let other = try baseline.map { try usable($0, of: model, store) } ?? released
        let compared = other.flatMap { $0.version.sha256 == candidate.version.sha256 ? nil : $0.version }
        return RehearsalQueue.Request(
            model: model, candidate: candidate.version, baseline: compared, images: images, actor: actor)
    }

    private func usable(
        _ number: Int, of model: Model, _ store: any MetadataReader
    ) throws -> ModelLifecycle.KnownVersion {
        try ModelPath.version(number, of: model, store).runnable()
    }

    /// The stored result for the same versions and images.
    func result(of request: RehearsalQueue.Request, _ store: any MetadataReader) throws -> RehearsalRecord? {
        try store.rehearsal(
            candidate: request.candidate.sha256, baseline: request.baseline?.sha256 ?? "",
            imageSet: RehearsalImageSet.digest(of: request.images), model: request.model.id)
    }
}
