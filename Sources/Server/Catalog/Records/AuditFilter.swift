/// Which entries of the audit log somebody asks for; what is empty or nil holds back nothing.
public struct AuditFilter: Sendable, Hashable {
    /// Any of them.
    public var actors: Set<String> = []
    /// The action itself, or what all of several begin with before a dot: `model` for `model.create` and `model.publish`.
    public var action: String?
    /// Any of them.
    public var subjects: Set<String> = []
    public var detail: String?
    /// Inclusive.
    public var fromMicroseconds: Int64?
    /// Exclusive.
    public var untilMicroseconds: Int64?

    public init() {}
}
