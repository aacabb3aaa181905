public import Foundation

/// What was fetched anew because the server announced it. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: what is stored here never changes; a subclass answers for what it adds.
open class RemoteConfigUpdate: NSObject, @unchecked Sendable {
    private let keys: Set<String>

    /// The keys whose values differ from the activated ones, or that an experiment varies which this installation has entered or
    /// left since.
    open var updatedKeys: Set<String> { keys }

    /// An update of no keys, for mocks.
    public override init() { keys = [] }

    /// An update of these keys, for apps' tests. Hearth's addition.
    public init(updatedKeys: Set<String>) { keys = updatedKeys }
}
