import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@Suite("Blobs: power loss") struct BlobCrashTests {
    private static let mark = "row committed"

    private let bytes = Array("0123456789abcdef".utf8) + [UInt8](repeating: 7, count: 5000)

    /// An upload in three pieces, up to the moment at which the caller writes the row that names the file.
    private func record(_ files: any FileOperations, in root: String) throws {
        let blob = try FileBlobStore(folder: root + "/blobs", files: files).begin(limitBytes: 10_000)
        for piece in [bytes[..<10], bytes[10..<3000], bytes[3000...]] { try blob.write(piece) }
        _ = try blob.seal()
        try blob.commit()
        files.note(Self.mark)
    }

    /// What is wrong with the store in a state, or nil.
    private func complaint(about state: CrashReplay.State) throws -> String? {
        let digest = SHA256Hasher.hash(bytes)
        let path = state.folder + "/blobs"
        let store = try FileBlobStore(folder: path)
        let found = try store.size(of: digest) == nil ? nil : try store.bytes(of: digest)
        if state.notes.contains(Self.mark), found != bytes { return "an acknowledged file is missing or damaged" }
        if let found, found != bytes { return "a file is visible that is not whole" }
        let files = DiskFiles()
        let leftovers = try files.list(path).filter { name in
            try name != digest.hex && files.size(FilePath.join(path, name)) != 0
        }
        return leftovers.isEmpty ? nil : "leftovers: \(leftovers)"
    }

    @Test("After the mark the file is whole, before it is whole or absent, and opening sweeps the rest")
    func everyState() throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try record(files, in: folder.path)
        var marked = 0
        let count = try CrashReplay(files).forEachState { state in
            if state.notes.contains(Self.mark) { marked += 1 }
            let complaint = try complaint(about: state)
            #expect(complaint == nil, "\(state)")
        }
        #expect(count > 10 && marked >= 1)
    }

    @Test("A store that forgets a synchronisation is caught", arguments: UnsynchronizedFiles.Omission.allCases)
    func carelessStore(omission: UnsynchronizedFiles.Omission) throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try record(UnsynchronizedFiles(files, without: omission), in: folder.path)
        var complaints = 0
        try CrashReplay(files).forEachState { state in
            if try complaint(about: state) != nil { complaints += 1 }
        }
        #expect(complaints > 0)
    }

    @Test("Removing a file leaves it whole or gone")
    func removal() throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        let store = try FileBlobStore(folder: folder.path + "/blobs", files: files)
        let digest = try store.add(bytes)
        try store.remove(digest)
        files.note("removed")
        try CrashReplay(files).forEachState { state in
            let store = try FileBlobStore(folder: state.folder + "/blobs")
            let isThere = try store.size(of: digest) != nil
            #expect(try !isThere || store.bytes(of: digest) == bytes, "\(state)")
            #expect(!isThere || !state.notes.contains("removed"), "\(state)")
        }
    }
}

@Suite("Resumable blobs: power loss") struct ResumableCrashTests {
    private let bytes = Array("0123456789abcdef".utf8) + [UInt8](repeating: 7, count: 5000)

    /// An upload in three requests. After each the uploader is told how much has come, and goes on from there.
    private func record(_ files: any FileOperations, in root: String) throws {
        let store = try FileBlobStore(folder: root + "/blobs", files: files)
        var done = 0
        for end in [10, 3000, bytes.count] {
            let blob = try #require(try store.resume("id", from: UInt64(done), limitBytes: 10_000))
            try blob.write(bytes[done..<end])
            try blob.synchronize()
            files.note("\(end)")
            done = end
        }
        let blob = try #require(try store.resume("id", from: UInt64(done), limitBytes: 10_000))
        _ = try blob.seal()
        try blob.commit()
        files.note("committed")
    }

    /// What is wrong with the store in a state, or nil.
    private func complaint(about state: CrashReplay.State) throws -> String? {
        let digest = SHA256Hasher.hash(bytes)
        let store = try FileBlobStore(folder: state.folder + "/blobs")
        if try store.size(of: digest) != nil {
            return try store.bytes(of: digest) == bytes ? nil : "a file is visible that is not whole"
        }
        if state.notes.contains("committed") { return "a committed file is missing" }
        let told = state.notes.compactMap { Int($0) }.last ?? 0
        do {
            guard let blob = try store.resume("id", from: UInt64(told), limitBytes: 10_000) else { return "in use" }
            try blob.write(bytes[told...])
            return try blob.seal().sha256 == digest ? nil : "what was acknowledged is damaged"
        } catch {
            return "what was acknowledged is lost: \(error)"
        }
    }

    @Test("What an uploader was told of is there, and the upload goes on to the right bytes")
    func everyState() throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try record(files, in: folder.path)
        let count = try CrashReplay(files).forEachState { state in
            let complaint = try complaint(about: state)
            #expect(complaint == nil, "\(state)")
        }
        #expect(count > 10)
    }

    @Test("A store that forgets a synchronisation is caught", arguments: UnsynchronizedFiles.Omission.allCases)
    func carelessStore(omission: UnsynchronizedFiles.Omission) throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try record(UnsynchronizedFiles(files, without: omission), in: folder.path)
        var complaints = 0
        try CrashReplay(files).forEachState { state in
            if try complaint(about: state) != nil { complaints += 1 }
        }
        #expect(complaints > 0)
    }
}
