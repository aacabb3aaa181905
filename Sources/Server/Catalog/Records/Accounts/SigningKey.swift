/// A key that signs tokens and links, and verifies them. Printing it shows no secret.
package struct SigningKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package static let secretBytes = 32

    /// From 1 on, in the order in which the keys were made. A number is never used again.
    package let number: Int
    /// 32 random bytes; empty once the key is retired, so that no copy of the store can sign with it any more.
    package private(set) var secret: [UInt8]
    /// What `InstallationHash` needs of the server's first key, kept when that key is retired; otherwise empty.
    package private(set) var installationHashKey: [UInt8]
    package let createdMicroseconds: Int64
    /// From then on nothing that the key signed is valid; nil for a key that is in use.
    package private(set) var retiredMicroseconds: Int64?

    package init(
        number: Int, secret: [UInt8], installationHashKey: [UInt8] = [], createdMicroseconds: Int64,
        retiredMicroseconds: Int64? = nil
    ) {
        self.number = number
        self.secret = secret
        self.installationHashKey = installationHashKey
        self.createdMicroseconds = createdMicroseconds
        self.retiredMicroseconds = retiredMicroseconds
    }

    package var isRetired: Bool { retiredMicroseconds != nil }

    /// Retires the key and forgets its secret.
    ///
    /// - Parameter installationHashKey: for the server's first key.
    package mutating func retire(atMicroseconds: Int64, installationHashKey: [UInt8] = []) {
        retiredMicroseconds = atMicroseconds
        self.installationHashKey = installationHashKey
        secret = []
    }

    package var description: String { "SigningKey \(number)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
