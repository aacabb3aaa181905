/// Holds secrets in clear: printing one, by mistake or in a debugger's log, shows none of them.
public protocol Redacted: CustomStringConvertible, CustomReflectable {
    /// What may be printed.
    var publicName: String { get }
}

extension Redacted {
    public var description: String { "\(Self.self) \(publicName)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
