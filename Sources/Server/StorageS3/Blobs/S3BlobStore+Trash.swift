package import HearthCrypto
package import HearthStorage

/// Blobs that seem unneeded, as objects `trash/<seconds>-<hash>`.
///
/// A move is a copy and then a deletion. A crash between the two leaves both objects, which is harmless: the blob is
/// visible, and the one in the trash is deleted when its time has come.
extension S3BlobStore {
    package func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int {
        try Parallel.count(digests) { digest throws(StorageError) in
            let target = Self.name(TrashedBlob(digest: digest, seconds: max(seconds, 0)))
            let isMoved = try self.move(Self.name(digest), to: target)
            self.cache.remove([digest])
            return isMoved
        }
    }

    package func trashedBlobs() throws(StorageError) -> [TrashedBlob] {
        try client.list(Self.trashFolder).compactMap { object in
            let parts = object.name.dropFirst(Self.trashFolder.count).split(
                separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let seconds = Int64(parts[0]), seconds >= 0,
                let digest = SHA256Digest(hex: String(parts[1]))
            else { return nil }
            return TrashedBlob(digest: digest, seconds: seconds)
        }
    }

    package func restoreFromTrash(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int {
        // Of two with the same bytes, the one that was moved there last.
        let newest = Dictionary(trashedBlobs.map { ($0.digest, $0) }) { $0.seconds > $1.seconds ? $0 : $1 }
        return try Parallel.count(Array(newest.values)) { blob throws(StorageError) in
            guard try self.client.head(Self.name(blob.digest)) == nil else { return false }
            return try self.move(Self.name(blob), to: Self.name(blob.digest))
        }
    }

    package func deleteTrashed(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int {
        try Parallel.count(Array(Set(trashedBlobs))) { blob throws(StorageError) in
            guard try self.client.head(Self.name(blob)) != nil else { return false }
            try self.client.delete(Self.name(blob))
            return true
        }
    }

    /// False if there is nothing to move.
    private func move(_ name: String, to target: String) throws(StorageError) -> Bool {
        guard let object = try client.head(name) else { return false }
        do { try client.copy(name, to: target, size: object.size) } catch {
            // Another server was faster.
            guard error.code == .notFound else { throw error }
            return false
        }
        try client.delete(name)
        return true
    }

    static let trashFolder = "trash/"

    private static func name(_ blob: TrashedBlob) -> String { "\(trashFolder)\(blob.seconds)-\(blob.digest.hex)" }
}
