public import Foundation

/// What was fetched anew because the server announced it.
public final class RemoteConfigUpdate: NSObject, Sendable {
    /// The keys whose values differ from the activated ones.
    public let updatedKeys: Set<String>

    init(updatedKeys: Set<String>) { self.updatedKeys = updatedKeys }
}
