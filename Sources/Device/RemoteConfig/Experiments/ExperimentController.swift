public import Foundation

/// For apps written for FirebaseABTesting: running experiments takes nothing but Remote Config here, whose values are those
/// of the installation's variants, and reports by itself that they were used.
public final class ExperimentController: NSObject, Sendable {
    private static let instance = ExperimentController()

    private override init() {}

    /// The one there is. It has no methods: apps only name it.
    public class func sharedInstance() -> ExperimentController { instance }
}
