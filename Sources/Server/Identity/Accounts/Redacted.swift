/// Contains secrets in clear. Printing a value, by mistake or in a debugger, shows none of them.
package protocol Redacted: CustomStringConvertible, CustomReflectable {
    /// What may be printed.
    var publicName: String { get }
}

extension Redacted {
    package var description: String { "\(Self.self) \(publicName)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
