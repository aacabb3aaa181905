import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

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

    @Test("A store that forgets a synchronisation is caught", arguments: CarelessFiles.Omission.allCases)
    func carelessStore(omission: CarelessFiles.Omission) throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try record(CarelessFiles(files, without: omission), in: folder.path)
        var complaints = 0
        try CrashReplay(files).forEachState { state in
            if try complaint(about: state) != nil { complaints += 1 }
        }
        #expect(complaints > 0)
    }
}
