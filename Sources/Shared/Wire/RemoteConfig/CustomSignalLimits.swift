/// How many custom signals a device may have, and how long they may be. A server ignores longer ones.
package enum CustomSignalLimits {
    package static let count = 100
    /// In UTF-16 units, like the limits of Firebase's clients.
    package static let keyLength = 250
    package static let textLength = 500

    package static func isKey(_ text: String) -> Bool { (1...keyLength).contains(text.utf16.count) }

    package static func isText(_ text: String) -> Bool { text.utf16.count <= textLength }
}
