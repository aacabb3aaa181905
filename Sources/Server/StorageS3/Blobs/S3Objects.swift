package import HearthCrypto
package import HearthStorage

/// The blobs of a store without the local files of a server: to copy them, and to look at what is really stored.
package struct S3Objects: Sendable {
    private let client: S3Client

    package init(_ client: S3Client) { self.client = client }

    package var place: String { client.configuration.place }

    /// All visible blobs and their sizes.
    package func sizes() throws(StorageError) -> [SHA256Digest: UInt64] {
        var sizes: [SHA256Digest: UInt64] = [:]
        for object in try client.list(S3BlobStore.blobFolder) {
            guard let digest = SHA256Digest(hex: String(object.name.dropFirst(S3BlobStore.blobFolder.count))) else {
                continue
            }
            sizes[digest] = object.size
        }
        return sizes
    }

    package func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? {
        try client.head(S3BlobStore.name(digest))?.size
    }

    /// The stored bytes, in pieces and in order.
    package func read(
        _ digest: SHA256Digest, _ receive: (UnsafeRawBufferPointer) throws -> Void
    ) throws(StorageError) {
        try client.get(S3BlobStore.name(digest), receive: receive)
    }

    /// Stores a file as a blob. Its bytes must have that hash.
    package func put(_ path: String, as digest: SHA256Digest, size: UInt64) throws(StorageError) {
        let name = S3BlobStore.name(digest)
        guard size > S3BlobStore.singlePutBytes else {
            return try client.put(
                name, size == 0 ? .bytes([]) : .file(path: path, offset: 0, length: size, sha256: digest))
        }
        try client.putInParts(name, path: path, size: size)
    }

    /// How many blobs are in the trash.
    package func trashCount() throws(StorageError) -> Int { try client.list(S3BlobStore.trashFolder).count }

    /// The id of the data that the files belong to; nil if nothing has recorded one.
    package func folderID() throws(StorageError) -> String? {
        var bytes: [UInt8] = []
        do {
            try client.get(DataLayout.folderIDName) { piece in
                guard bytes.count + piece.count <= Self.folderIDLimit else {
                    throw StorageError(
                        .corrupt,
                        "The object \(DataLayout.folderIDName) in the model store (\(place)) does not contain the id of a server's data."
                    )
                }
                bytes += piece
            }
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    private static let folderIDLimit = 1024

    package func record(folderID: String) throws(StorageError) {
        try client.put(DataLayout.folderIDName, .bytes(Array("\(folderID)\n".utf8)))
    }
}
