import Dispatch
public import HearthModelSource

/// What goes on with a model, and how to keep it up to date. Hearth's additions.
extension ModelDownloader {
    /// What there is of a model now, whoever fetches it. Blocks while it looks at the disk: not for Swift's cooperative pool.
    public func state(ofModel modelName: String) -> ModelState { core.state(of: modelName) }

    /// Calls `change` with the state now, and then at each change, in order, on the app's `callbackQueue`, until the
    /// observation is cancelled or released or the app is deleted. Progress comes in about a hundred steps.
    public func observeState(
        ofModel modelName: String, using change: @escaping (ModelState) -> Void
    ) -> ModelStateObservation {
        ModelStateObservation(core.observe(modelName, StateHandler(change).call))
    }

    /// The state now, and then each change. Whoever reads slowly misses states, but never the newest. Ends when the app is
    /// deleted. Needs no callback queue.
    public func states(ofModel modelName: String) -> AsyncStream<ModelState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let ticket = core.observe(
                modelName, on: DispatchQueue(label: "app.hearth.delivery.states"), { continuation.yield($0) },
                end: { continuation.finish() })
            continuation.onTermination = { _ in ticket.cancel() }
        }
    }

    /// Fetches the model within seconds if there is none, else looks for a newer version after a random part of a tenth of
    /// `seconds`; then looks about every `seconds`, give or take a tenth, so that devices do not all ask at the same time. A check
    /// that fails is repeated after shorter, growing pauses; one that the conditions do not allow is left out.
    ///
    /// A model that is not on this device is fetched, also after it was deleted: cancel the refresh first.
    ///
    /// - Parameters:
    ///   - seconds: at least 60; less counts as 60.
    ///   - requiringExternalPower: leaves checks out while the device is known to run on its battery.
    /// - Returns: the refresh, which ends when it is cancelled or released.
    public func keepUpdated(
        name modelName: String, every seconds: Double, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        requiringExternalPower: Bool = false
    ) -> ModelRefresh {
        let plan = ModelRefresh.Plan(
            name: modelName, conditions: TransferConditions(conditions), requiresExternalPower: requiringExternalPower)
        return ModelRefresh.start(plan, everySeconds: seconds, core: core)
    }

    /// For apps that run models themselves: `model` does not load on this device. The version before it is installed again,
    /// and this one is not fetched any more; a newer one is. The state and the failure notification tell so. Does nothing when `model` is not the installed version. Blocks.
    ///
    /// Labelers, detectors and `ModelInterpreter` do this by themselves.
    /// - Parameter reason: what the app wants to read in the state's failure.
    public func putAside(_ model: CustomModel, reason: String) {
        UnusableModel(name: model.name, path: model.path, reason: reason).putAside(core)
    }
}

/// `@unchecked Sendable`: the closure is not called where it is carried, only on the callback queue that the app chose for it.
/// Its type is not `@Sendable` because apps' callbacks are not.
private struct StateHandler: @unchecked Sendable {
    private let change: (ModelState) -> Void

    init(_ change: @escaping (ModelState) -> Void) { self.change = change }

    @Sendable
    func call(_ state: ModelState) { change(state) }
}
