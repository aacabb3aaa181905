import HearthCrypto

/// Hashes of installation ids for counts: the same in all counts of a server, and of servers with the same first key,
/// whatever becomes of that key. Who
/// does not know the secret cannot find the id of a hash or choose an id with a certain hash.
package struct InstallationHash: Sendable {
    private let key: SipHash

    package init(secret: ServerSecret) {
        key = SipHash(key: secret.installationHashKey)
    }

    /// From 0 to `Int64.max`, evenly distributed.
    package func hash(of installation: String, project: String) -> Int64 {
        Int64(key.hash(key.hash(0, project), installation) >> 1)
    }
}
