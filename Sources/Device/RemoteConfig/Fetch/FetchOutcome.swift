import Foundation

/// How a fetch ended, as its caller is told.
struct FetchOutcome: Sendable {
    var status: RemoteConfigFetchStatus
    /// In ``RemoteConfigErrorDomain``.
    var error: NSError?
}
