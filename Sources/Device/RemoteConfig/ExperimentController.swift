public import Foundation

/// For apps written for FirebaseABTesting. In Hearth, running experiments needs only Remote Config, whose values are
/// those of the installation's variants, and which reports their use automatically.
public final class ExperimentController: NSObject, Sendable {
    private static let instance = ExperimentController()

    private override init() {}

    /// The controller of the process. It has no methods: apps only name it.
    public class func sharedInstance() -> ExperimentController { instance }
}

/// The names of the events of an experiment. Hearth does not log these events: it reports to the server when the app
/// uses a value.
public final class LifecycleEvents: NSObject {
    /// An experiment was set.
    public var setExperimentEventName: String = "_exp_set"
    /// An experiment was activated.
    public var activateExperimentEventName: String = "_exp_activate"
    /// An experiment was cleared.
    public var clearExperimentEventName: String = "_exp_clear"
    /// An experiment was not activated in time.
    public var timeoutExperimentEventName: String = "_exp_timeout"
    /// An experiment's time was over.
    public var expireExperimentEventName: String = "_exp_expire"

    /// Makes the names.
    public override init() {}
}
