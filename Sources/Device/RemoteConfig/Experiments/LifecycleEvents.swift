public import Foundation

/// The names of the events in an experiment's life. Nothing is logged under them: the server is told when a value is used.
public final class LifecycleEvents: NSObject {
    public var setExperimentEventName: String = "_exp_set"
    public var activateExperimentEventName: String = "_exp_activate"
    public var clearExperimentEventName: String = "_exp_clear"
    public var timeoutExperimentEventName: String = "_exp_timeout"
    public var expireExperimentEventName: String = "_exp_expire"

    public override init() {}
}
