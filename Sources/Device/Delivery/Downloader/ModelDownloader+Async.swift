public import HearthModelSource

/// The calls with completions, for async code. They return off the callback queue, which need not run.
extension ModelDownloader {
    /// Gets a model by its display name. Throws ``DownloadError``, or `CancellationError` when the task was cancelled; the
    /// transfer goes on while others wait for it. `states(ofModel:)` shows the progress.
    ///
    /// It takes no closure: one that did would take over calls of the original in async functions, whose trailing closure is
    /// the completion.
    public func getModel(
        name modelName: String, downloadType: ModelDownloadType,
        conditions: ModelDownloadConditions = ModelDownloadConditions()
    ) async throws -> CustomModel {
        try Task.checkCancellation()
        let request = ModelRequest(name: modelName, type: downloadType, conditions: TransferConditions(conditions))
        let ticket = DownloadTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ticket.pass(onTo: request.start(core, progress: nil) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            ticket.cancel()
        }
        switch result {
        case .success(let model): return model
        case .failure(let failure):
            if failure.code == .cancelled { try Task.checkCancellation() }
            throw failure.error
        }
    }

    /// Every model on this device. Files and records that are not models are left out.
    public func listDownloadedModels() async throws -> Set<CustomModel> {
        try await withCheckedThrowingContinuation { continuation in
            core.whereBlockingIsAllowed { continuation.resume(with: self.list()) }
        }
    }

    /// Removes a model from this device; throws ``DownloadedModelError``, `.notFound` when it is not there.
    public func deleteDownloadedModel(name modelName: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.whereBlockingIsAllowed { continuation.resume(with: self.delete(modelName)) }
        }
    }
}
