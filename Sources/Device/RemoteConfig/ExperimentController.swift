public import Foundation

/// For apps written for FirebaseABTesting: running experiments takes nothing but Remote Config here, whose values are those
/// of the installation's variants, and reports by itself that they were used.
public final class ExperimentController: NSObject, Sendable {
    private static let instance = ExperimentController()

    private override init() {}

    /// The one there is. It has no methods: apps only name it.
    public class func sharedInstance() -> ExperimentController { instance }
}

/// The names of the events in an experiment's life. Nothing is logged under them: the server is told when a value is used.
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

    public override init() {}
}
