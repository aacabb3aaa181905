import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@Suite("A store of hashed files after a power loss")
struct ContentStoreCrashTests {
    private static let contents: [[UInt8]] = [Array("first file".utf8), Array("the second file".utf8)]

    /// Two files stored, the first one removed.
    private func record(_ files: (RecordingFiles) -> any FileOperations) throws -> CrashReplay {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        let store = try ContentStore(folder: folder.path + "/files", files: files(recording))
        for bytes in Self.contents {
            let file = try store.begin(limitBytes: 100)
            try bytes.prefix(4).withUnsafeBytes { try file.write($0) }
            try bytes.dropFirst(4).withUnsafeBytes { try file.write($0) }
            recording.note("stored \(try file.commit())")
        }
        let first = SHA256Hasher.hash(Self.contents[0])
        recording.note("removing \(first)")
        try store.remove([first])
        recording.note("removed \(first)")
        return CrashReplay(recording)
    }

    /// What a store may hold: whole files only, those that were promised, and none that was said to be removed.
    private func problem(_ state: CrashReplay.State) throws -> String? {
        let store = try ContentStore(folder: state.folder + "/files")
        try store.sweepAbandoned()
        let found = try store.digests()
        for bytes in Self.contents {
            let digest = SHA256Hasher.hash(bytes)
            let isThere = found.contains(digest)
            if isThere, try !store.isWhole(digest, size: UInt64(bytes.count)) { return "a part is visible" }
            let isPromised = state.notes.contains("stored \(digest)") && !state.notes.contains("removing \(digest)")
            if isPromised, !isThere { return "a stored file is lost" }
            if isThere, state.notes.contains("removed \(digest)") { return "a removed file is back" }
        }
        return nil
    }

    @Test("whole files only, and every one that was promised")
    func crashes() throws {
        let count = try record { $0 }.forEachState { state in
            let problem = try problem(state)
            #expect(problem == nil, "\(problem ?? ""): \(state)")
        }
        #expect(count >= 20)
    }

    @Test(
        "control: without synchronisation the same check finds broken states",
        arguments: [
            (UnsynchronizedFiles.Omission.fileSynchronization, "a part is visible"),
            (.folderSynchronization, "a stored file is lost"), (.folderSynchronization, "a removed file is back"),
        ])
    func control(omission: UnsynchronizedFiles.Omission, expected: String) throws {
        var problems: Set<String> = []
        try record { UnsynchronizedFiles($0, without: omission) }.forEachState { state in
            if let problem = try problem(state) { problems.insert(problem) }
        }
        #expect(problems.contains(expected))
    }

    @Test("after any power loss the store works on")
    func worksOn() throws {
        let bytes = [UInt8]("another".utf8)
        try record { $0 }.forEachState { state in
            let store = try ContentStore(folder: state.folder + "/files")
            let file = try store.begin(limitBytes: 100)
            try bytes.withUnsafeBytes { try file.write($0) }
            let digest = try file.commit()
            #expect(try store.isWhole(digest, size: UInt64(bytes.count)), "\(state)")
        }
    }
}
