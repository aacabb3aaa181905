package import HearthCatalog

/// Signing keys in the database, for servers that share one. Whoever can read the database can sign.
package struct MetadataSigningKeyStore: SigningKeyStore {
    private let metadata: any MetadataStore

    package init(_ metadata: any MetadataStore) { self.metadata = metadata }

    package var isShared: Bool { true }
    package var revision: UInt64 { metadata.servingRevision }

    package func load() throws -> [SigningKey] { try metadata.readServed(load) }

    package func loadOrMake(nowMicroseconds: Int64) throws -> [SigningKey] {
        let keys = try load()
        guard !keys.contains(where: { !$0.isRetired }) else { return keys }
        return try metadata.write { store in
            // Of servers that start at once, one makes the key, and the others find it here.
            let keys = try load(in: store)
            guard !keys.contains(where: { !$0.isRetired }) else { return keys }
            let key = SigningKey.next(after: keys, nowMicroseconds: nowMicroseconds)
            try store.insert(key)
            return keys + [key]
        }
    }

    package func load(in transaction: any MetadataReader) throws -> [SigningKey] {
        let keys = try transaction.signingKeys()
        for key in keys where !key.isRetired && key.secret.count != SigningKey.secretBytes {
            throw StorageError(
                .corrupt,
                "The signing key \(key.number) is damaged: it has \(key.secret.count) bytes, not \(SigningKey.secretBytes)"
            )
        }
        return keys
    }

    package func add(_ key: SigningKey, in transaction: any MetadataWriter) throws { try transaction.insert(key) }
    package func retire(_ key: SigningKey, in transaction: any MetadataWriter) throws { try transaction.update(key) }
}
