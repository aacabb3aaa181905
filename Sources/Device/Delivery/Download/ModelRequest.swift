import HearthApp

/// One call for a model: what is on this device decides together with the type whether the server is asked.
struct ModelRequest: Sendable {
    let name: String
    let type: ModelDownloadType
    let conditions: DownloadConditions

    /// - Parameters:
    ///   - progress: called on the app's callback queue.
    ///   - completion: called once, and not on this thread.
    /// - Returns: cancels the request.
    @discardableResult
    func start(
        _ core: DeliveryCore, progress: Callback<Float>?,
        completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void
    ) -> CancellationHandle {
        let answer: @Sendable (Result<CustomModel, DownloadFailure>) -> Void = { result in
            if case .success(let model) = result { core.recordUse(of: model) }
            completion(result)
        }
        guard type != .latestModel, !name.isEmpty else { return fetch(core, progress, answer) }
        let ticket = CancellationHandle()
        core.onBlockingQueue {
            do throws(DownloadFailure) {
                guard let model = try core.installedForUse(name, conditions: conditions.downloadConditions) else {
                    return ticket.forward(onTo: fetch(core, progress, answer))
                }
                answer(.success(model))
                // What happens to it is nobody's business, but shows in the model's state.
                if type == .localModelUpdateInBackground { fetch(core, nil) { _ in } }
            } catch {
                completion(.failure(error))
            }
        }
        return ticket
    }

    @discardableResult
    private func fetch(
        _ core: DeliveryCore, _ progress: Callback<Float>?,
        _ completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void
    ) -> CancellationHandle {
        let app = core.app
        var show: (@Sendable (UInt64, UInt64) -> Void)?
        if let progress {
            show = { completed, total in
                let fraction = total == 0 ? 1 : Float(Double(completed) / Double(total))
                progress.call(with: fraction, on: app.serialCallbackQueue)
            }
        }
        return core.download(
            name, conditions: conditions.downloadConditions, progress: show, completion: completion)
    }
}
