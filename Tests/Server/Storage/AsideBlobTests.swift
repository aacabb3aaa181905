import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageTestSupport

@Suite("Blobs that are set aside, and what is no blob") struct AsideBlobTests {
    private let hello = Array("hello".utf8)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Set aside it is out of sight; put back it has its bytes", arguments: BlobKind.allCases)
    func roundTrip(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        let absent = SHA256Hasher.hash([1])
        #expect(try store.moveToTrash([digest, absent], atSeconds: 5) == 1)
        #expect(try store.size(of: digest) == nil && store.digests().isEmpty)
        #expect(code { _ = try store.open(digest) } == .notFound)
        #expect(try store.trashedBlobs() == [TrashedBlob(digest: digest, seconds: 5)])
        #expect(try store.restoreFromTrash(store.trashedBlobs()) == 1)
        #expect(try store.bytes(of: digest) == hello)
        #expect(try store.trashedBlobs().isEmpty)
    }

    @Test("An open reader keeps its bytes", arguments: BlobKind.allCases)
    func openReader(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        let reader = try store.open(digest)
        _ = try store.moveToTrash([digest], atSeconds: 5)
        _ = try store.deleteTrashed(store.trashedBlobs())
        #expect(try Descriptor.readAndClose(reader.descriptor) == hello)
    }

    @Test("What is there under its name is not replaced by what was set aside", arguments: BlobKind.allCases)
    func taken(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        _ = try store.moveToTrash([digest], atSeconds: 5)
        try store.add(hello)
        #expect(try store.restoreFromTrash(store.trashedBlobs()) == 0)
        #expect(try store.trashedBlobs().count == 1)
        _ = try store.moveToTrash([digest], atSeconds: 6)
        #expect(Set(try store.trashedBlobs().map(\.seconds)) == [5, 6])
        #expect(try store.restoreFromTrash(store.trashedBlobs()) == 1)
        #expect(try store.trashedBlobs().map(\.seconds) == [5], "the younger one comes back")
        #expect(try store.deleteTrashed(store.trashedBlobs()) == 1)
        #expect(try store.bytes(of: digest) == hello)
    }

    @Test("Opening a store leaves them, and what looks nearly like them")
    func names() throws {
        let path = folder.path + "/blobs"
        let digest = try FileBlobStore(folder: path).add(hello)
        let hex = digest.hex
        let others = [
            "aside-", "aside-x-\(hex)", "aside--1-\(hex)", "aside-1-\(hex)-2", "aside-1-short", "aside-\(hex)",
        ]
        for name in others { _ = try folder.write([1], to: "blobs/" + name) }
        _ = try FileBlobStore(folder: path).moveToTrash([digest], atSeconds: 1)
        let store = try FileBlobStore(folder: path)
        #expect(try store.trashedBlobs() == [TrashedBlob(digest: digest, seconds: 1)])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path).sorted() == (others + ["aside-1-\(hex)"]).sorted()
        )
    }

    @Test("A power loss at any moment leaves the bytes under the one name or the other")
    func powerLoss() throws {
        let files = RecordingFiles(root: folder.path)
        let store = try FileBlobStore(folder: folder.path + "/blobs", files: files)
        let digest = try store.add(hello)
        files.note("stored")
        _ = try store.moveToTrash([digest], atSeconds: 5)
        _ = try store.restoreFromTrash(store.trashedBlobs())
        let count = try CrashReplay(files).forEachState { state in
            guard state.notes.contains("stored") else { return }
            let store = try FileBlobStore(folder: state.folder + "/blobs")
            let aside = try store.trashedBlobs()
            #expect(try store.digests().count + aside.count >= 1, "\(state)")
            _ = try store.restoreFromTrash(aside)
            #expect(try store.bytes(of: digest) == hello, "\(state)")
        }
        #expect(count > 5)
    }

    @Test("Links, folders and pipes in the place of a file are not served", arguments: ["link", "folder", "pipe"])
    func noRegularFile(kind: String) throws {
        let store = try FileBlobStore(folder: folder.path + "/blobs")
        let digest = try store.add(hello)
        let path = folder.path + "/blobs/" + digest.hex
        try DiskFiles().remove(path)
        let secret = try folder.write(hello, to: "secret")
        switch kind {
        case "link": symlink(secret, path)
        case "folder": mkdir(path, 0o700)
        default: mkfifo(path, 0o600)
        }
        #expect(code { _ = try store.open(digest) } == .corrupt)
        #expect(try store.size(of: digest) == nil)
        #expect(try store.moveToTrash([digest], atSeconds: 1) == 0)
        #expect(PathKind(path) != .absent)
    }
}
