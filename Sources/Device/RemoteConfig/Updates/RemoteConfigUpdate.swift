public import Foundation

/// What was fetched anew because the server announced it.
public final class RemoteConfigUpdate: NSObject, Sendable {
    /// The keys whose values differ from the activated ones, or that an experiment varies which this installation has entered or
    /// left since.
    public let updatedKeys: Set<String>

    init(updatedKeys: Set<String>) { self.updatedKeys = updatedKeys }
}
