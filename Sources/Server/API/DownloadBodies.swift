import Synchronization

/// The bodies of `:download` answers made in the present second.
///
/// The link in one says until when it is good, to the second, and not for whom: all devices that ask for a version within
/// one second get the same, so it is signed once. Any thread.
final class DownloadBodies: Sendable {
    private struct Key: Hashable {
        let base: String
        let sha256: String
    }

    private struct Made {
        var expires: Int64 = 0
        var bodies: [Key: [UInt8]] = [:]
    }

    /// Beyond it nothing more is kept: callers of a proxy choose the addresses that they reach it under.
    private static let maximum = 1000

    private let made = Mutex(Made())

    /// The body of that version under the address `base`; `make` makes it where there is none yet.
    func body(base: String, sha256: String, expires: Int64, make: () -> [UInt8]) -> [UInt8] {
        let key = Key(base: base, sha256: sha256)
        if let known = made.withLock({ $0.expires == expires ? $0.bodies[key] : nil }) { return known }
        let body = make()
        made.withLock { made in
            if made.expires != expires { made = Made(expires: expires) }
            if made.bodies.count < Self.maximum { made.bodies[key] = body }
        }
        return body
    }
}
