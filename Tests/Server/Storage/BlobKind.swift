import Glibc
import HearthCrypto
import HearthStorage
import HearthStorageS3
import HearthStorageS3TestSupport
import HearthStorageTestSupport
import HearthTestSupport
import Testing

/// The engines that the conformance suite of `BlobStore` runs over. A new one has an entry here, and must pass all of it.
/// Those of real stores are there only where the environment names such a store.
enum BlobKind: CaseIterable, Sendable {
    case files
    case radosgw
    case openStackSwift

    static var allCases: [BlobKind] { [.files] + RealStore.present.map { $0 == .radosgw ? .radosgw : .openStackSwift } }

    func makeStore() throws -> any BlobStore {
        let folder = try TemporaryFolder()
        let path = folder.path + "/blobs"
        let base: any BlobStore =
            switch self {
            case .files: try FileBlobStore(folder: path)
            case .radosgw: try S3BlobStore(client: RealStore.radosgw.client(), folder: path, cacheBytes: 64 << 20)
            case .openStackSwift:
                try S3BlobStore(client: RealStore.openStackSwift.client(), folder: path, cacheBytes: 64 << 20)
            }
        return BlobsInTemporaryFolder(base: base, folder: folder)
    }
}

/// So that a run without a real store says so.
@Suite("Blobs in real stores") struct RealBlobStoreTests {
    @Test(
        "The conformance suite runs over a real S3-compatible store",
        .enabled(if: !RealStore.present.isEmpty, RealStore.absence))
    func areThere() throws {
        for store in RealStore.present { #expect(try store.client().list("").isEmpty) }
    }
}

/// A store that keeps its temporary folder alive.
private struct BlobsInTemporaryFolder: ForwardingBlobStore {
    let base: any BlobStore
    let folder: TemporaryFolder
}

extension IncomingBlob {
    func write(_ bytes: some Sequence<UInt8>) throws {
        try Array(bytes).withUnsafeBytes { try write($0) }
    }
}

extension BlobStore {
    /// An upload from beginning to end.
    @discardableResult
    func add(_ bytes: [UInt8]) throws -> SHA256Digest {
        let blob = try begin(limitBytes: UInt64(bytes.count))
        try blob.write(bytes)
        let digest = try blob.seal().sha256
        try blob.commit()
        return digest
    }

    /// The stored bytes, read through a descriptor that is closed again.
    func bytes(of digest: SHA256Digest) throws -> [UInt8] {
        let blob = try open(digest)
        let bytes = try Descriptor.readAndClose(blob.descriptor)
        guard UInt64(bytes.count) == blob.size else { throw StorageError(.corrupt, "the size is not the bytes' own") }
        return bytes
    }
}

enum Descriptor {
    /// Everything from the descriptor's position to its end.
    static func readAndClose(_ descriptor: Int32) throws -> [UInt8] {
        defer { close(descriptor) }
        return try rest(of: descriptor)
    }

    static func rest(of descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw StorageError(.io, "cannot read descriptor \(descriptor)") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }
}
