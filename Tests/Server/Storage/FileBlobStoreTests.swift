import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageTestSupport

@Suite("Blobs in files") struct FileBlobStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/blobs" }
    private let hello = Array("hello".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A file bears its hash, and nobody else may read it or the folder")
    func layout() throws {
        let digest = try FileBlobStore(folder: path).add(hello)
        #expect(try names() == [digest.hex])
        #expect(try mode(path) == 0o700)
        #expect(try mode(path + "/" + digest.hex) == 0o600)
    }

    @Test("Opening again finds everything")
    func reopen() throws {
        let digest = try FileBlobStore(folder: path).add(hello)
        #expect(try FileBlobStore(folder: path).bytes(of: digest) == hello)
    }

    @Test("Given up before or after its seal, an upload leaves no file")
    func abandoned() throws {
        let store = try FileBlobStore(folder: path)
        for isSealed in [false, true] {
            let blob = try store.begin(limitBytes: 5)
            try blob.write(hello)
            if isSealed { _ = try blob.seal() }
        }
        #expect(try names().isEmpty)
    }

    @Test("Opening sweeps what a crash left, and nothing else")
    func sweep() throws {
        let digest = try FileBlobStore(folder: path).add(hello)
        _ = try folder.write(hello, to: "blobs/incoming-3w5e11264sgs")
        _ = try folder.write(hello, to: "blobs/incoming-2027")
        _ = try folder.write(hello, to: "blobs/somebody-elses")
        _ = try FileBlobStore(folder: path)
        #expect(try names() == [digest.hex, "incoming-2027", "somebody-elses"].sorted())
    }

    @Test("Opening leaves uploads alone that are still going on")
    func sweepDuringUpload() throws {
        let blob = try FileBlobStore(folder: path).begin(limitBytes: 10)
        try blob.write(hello)
        let other = try FileBlobStore(folder: path)
        try blob.write(hello)
        let digest = try blob.seal().sha256
        _ = try FileBlobStore(folder: path)
        try blob.commit()
        #expect(try other.bytes(of: digest) == hello + hello)
    }

    @Test(
        "The same upload made again replaces a damaged file", arguments: [[], [0x68], Array("HELLO".utf8)] as [[UInt8]])
    func damaged(contents: [UInt8]) throws {
        let store = try FileBlobStore(folder: path)
        let digest = try store.add(hello)
        _ = try folder.write(contents, to: "blobs/" + digest.hex)
        let reader = try store.open(digest)
        try store.add(hello)
        #expect(try store.bytes(of: digest) == hello)
        #expect(try Descriptor.readAndClose(reader.descriptor) == contents, "an open reader is not pulled along")
    }

    @Test("What is no regular file is reported as damage")
    func notAFile() throws {
        let store = try FileBlobStore(folder: path)
        let digest = SHA256Hasher.hash(hello)
        try FileManager.default.createDirectory(atPath: path + "/" + digest.hex, withIntermediateDirectories: false)
        #expect(failure { _ = try store.open(digest) }?.code == .corrupt)
        #expect(try store.size(of: digest) == nil)
    }

    @Test("A file in the folder's place is an error that names it")
    func folderIsFile() throws {
        let path = try folder.write(hello, to: "blobs")
        let error = try #require(failure { _ = try FileBlobStore(folder: path) })
        #expect(error.code == .io && error.message == "Cannot make the folder \(path): File exists")
    }

    @Test("A full disk is told as such, and the upload leaves nothing")
    func fullDisk() throws {
        let files = FailingFiles()
        let store = try FileBlobStore(folder: path, files: files)
        files.limitSpace(7)
        do {
            let blob = try store.begin(limitBytes: 100)
            try blob.write(hello)
            #expect(failure { try blob.write(hello) }?.code == .noSpace)
        }
        #expect(try names().isEmpty)
        files.fail { _ in nil }
        #expect(try store.bytes(of: try store.add(hello)) == hello)
    }

    @Test("Whichever step fails, the upload fails and no part of it is visible under the hash")
    func failingSteps() throws {
        let failures: [@Sendable (FailingFiles.Step) -> Bool] = [
            { if case .createFile = $0 { true } else { false } }, { if case .write = $0 { true } else { false } },
            { if case .synchronize = $0 { true } else { false } }, { if case .rename = $0 { true } else { false } },
        ]
        for isHit in failures {
            let files = FailingFiles()
            let store = try FileBlobStore(folder: path, files: files)
            files.fail { isHit($0) ? FileError(.io, "Cannot go on: the cable is out") : nil }
            let error = try #require(failure { try store.add(hello) })
            #expect(error.code == .io && error.message == "Cannot go on: the cable is out")
            #expect(try store.size(of: SHA256Hasher.hash(hello)) == nil)
            #expect(try names().isEmpty)
        }
    }

    @Test("An upload whose folder could not be synchronised is not acknowledged")
    func failingFolderSync() throws {
        let files = FailingFiles()
        let store = try FileBlobStore(folder: path, files: files)
        files.fail { if case .synchronizeFolder = $0 { FileError(.io, "no") } else { nil } }
        #expect(failure { try store.add(hello) }?.code == .io)
    }

    @Test("A process at its file size limit gets the error of a full disk")
    func fileSizeLimit() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try FileBlobStore(folder: path)
            ResourceLimit.fileSize(bytes: 1000)
            let blob = try store.begin(limitBytes: 5000)
            let error = #expect(throws: StorageError.self) { try blob.write([UInt8](repeating: 1, count: 5000)) }
            try #require(error?.code == .noSpace)
        }
        _ = try FileBlobStore(folder: path)
        #expect(try names().isEmpty)
    }

    @Test("A process that may open no more files gets an error of its own, and goes on when it may")
    func openFileLimit() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try FileBlobStore(folder: path)
            let digest = try store.add([1])
            try ResourceLimit.withAllFilesOpen {
                let beginning = #expect(throws: StorageError.self) { _ = try store.begin(limitBytes: 5) }
                try #require(beginning?.code == .tooManyOpen)
                let opening = #expect(throws: StorageError.self) { _ = try store.bytes(of: digest) }
                try #require(opening?.code == .tooManyOpen)
            }
            try #require(try store.bytes(of: digest) == [1])
        }
    }
}
