import HearthFiles
import HearthTestSupport
import Testing

/// The simulator itself: what it must be able to show.
@Suite("The power loss simulator")
struct CrashReplayTests {
    private func outcomes(_ operations: [RecordedOperation]) throws -> Set<[String: [UInt8]]> {
        var found: Set<[String: [UInt8]]> = []
        try CrashReplay(operations, root: "/store").forEachState { state in
            var files: [String: [UInt8]] = [:]
            for name in try DiskFiles().list(state.folder) {
                files[name] = try? DiskFiles().read(state.folder + "/" + name, limitBytes: 1000)
            }
            found.insert(files)
        }
        return found
    }

    private let written: [RecordedOperation] = [.createFile("/store/a", file: 0), .write(file: 0, bytes: [1, 2])]

    @Test("bytes that were not synchronised: all, none, half, or zeros")
    func bytes() throws {
        #expect(try outcomes(written) == [[:], ["a": []], ["a": [1, 2]], ["a": [1]], ["a": [0, 0]]])
    }

    @Test("fsync of the file keeps its bytes, but not its name")
    func fileSynchronization() throws {
        let after = try outcomes(written + [.synchronize(file: 0), .note("safe")])
        #expect(after.contains([:]))
        var states: Set<[UInt8]> = []
        try CrashReplay(written + [.synchronize(file: 0), .note("safe")], root: "/store").forEachState { state in
            guard state.notes == ["safe"], try DiskFiles().size(state.folder + "/a") != nil else { return }
            states.insert(try DiskFiles().read(state.folder + "/a", limitBytes: 10))
        }
        #expect(states == [[1, 2]])
    }

    @Test("after fsync of file and folder there is one state only")
    func safe() throws {
        var count = 0
        let operations = written + [.synchronize(file: 0), .synchronizeFolder("/store"), .note("safe")]
        try CrashReplay(operations, root: "/store").forEachState { state in
            if state.notes == ["safe"] { count += 1 }
        }
        #expect(count == 1)
    }

    @Test("a rename that is not synchronised may be there or not, and never half")
    func rename() throws {
        let operations: [RecordedOperation] = [
            .createFile("/store/a", file: 0), .synchronizeFolder("/store"), .rename("/store/a", to: "/store/b"),
        ]
        #expect(try outcomes(operations) == [[:], ["a": []], ["b": []]])
    }

    @Test("changes that are not synchronised are lost one by one, in any order")
    func independence() throws {
        let operations: [RecordedOperation] = [.createFile("/store/a", file: 0), .createFile("/store/b", file: 1)]
        #expect(try outcomes(operations) == [[:], ["a": []], ["b": []], ["a": [], "b": []]])
    }

    @Test("a removal that is not synchronised may come undone")
    func removal() throws {
        let operations: [RecordedOperation] = [
            .createFile("/store/a", file: 0), .synchronizeFolder("/store"), .remove("/store/a"), .note("removed"),
        ]
        var found: Set<[String]> = []
        try CrashReplay(operations, root: "/store").forEachState { state in
            if state.notes == ["removed"] { found.insert(try DiskFiles().list(state.folder)) }
        }
        #expect(found == [[], ["a"]])
    }

    @Test("a folder that is not synchronised takes its files with it")
    func folders() throws {
        let operations: [RecordedOperation] = [
            .makeFolder("/store/f"), .createFile("/store/f/a", file: 0), .synchronizeFolder("/store/f"), .note("made"),
        ]
        var found: Set<[String]> = []
        try CrashReplay(operations, root: "/store").forEachState { state in
            if state.notes == ["made"] { found.insert((try? DiskFiles().list(state.folder + "/f")) ?? ["no folder"]) }
        }
        #expect(found == [["no folder"], ["a"]])
    }

    @Test("bytes that were forgotten and not synchronised may come back, instead of those that followed")
    func truncation() throws {
        let before = written + [.synchronize(file: 0), .synchronizeFolder("/store"), .note("written")]
        let after: [RecordedOperation] = [.truncate(file: 0, to: 0), .write(file: 0, bytes: [3, 4])]
        var found: Set<[UInt8]> = []
        try CrashReplay(before + after + [.note("cut")], root: "/store").forEachState { state in
            if state.notes.last == "cut" { found.insert(try DiskFiles().read(state.folder + "/a", limitBytes: 10)) }
        }
        #expect(found == [[1, 2], [3, 4], [3], [0, 0]])
        var safe: Set<[UInt8]> = []
        try CrashReplay(before + after + [.synchronize(file: 0), .note("cut")], root: "/store").forEachState { state in
            if state.notes.last == "cut" { safe.insert(try DiskFiles().read(state.folder + "/a", limitBytes: 10)) }
        }
        #expect(safe == [[3, 4]])
    }

    @Test("the recorder knows a file again that is opened for appending, also under another name")
    func recordingAppended() throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        let (a, b) = (folder.path + "/a", folder.path + "/b")
        try #require(try files.appendFile(a, mode: 0o600)).write([1])
        try files.rename(a, to: b)
        do {
            let file = try #require(try files.appendFile(b, mode: 0o600))
            try file.truncate()
            #expect(file.isInPlace)
        }
        _ = try files.appendFile(a, mode: 0o600)
        #expect(
            files.operations == [
                .createFile(a, file: 0), .write(file: 0, bytes: [1]), .rename(a, to: b), .truncate(file: 0, to: 0),
                .createFile(a, file: 1),
            ])
    }

    @Test("too many unsafe entries for all combinations: a seeded choice, everything and nothing among it")
    func sampling() throws {
        let operations = (0..<10).map { RecordedOperation.createFile("/store/\($0)", file: $0) }
        let found = try outcomes(operations)
        #expect(found.contains([:]))
        #expect(found.contains { $0.count == 10 })
        #expect(try outcomes(operations) == found)
    }

    @Test("the recorder sees what reaches the disk, with every parent that was made")
    func recording() throws {
        let folder = try TemporaryFolder()
        let files = RecordingFiles(root: folder.path)
        try files.makeFolder(folder.path + "/a/b", mode: 0o700)
        try AtomicFile.write([1], to: folder.path + "/a/b/c", files: files)
        try files.remove(folder.path + "/a/b/c")
        files.note("done")
        let path = folder.path
        let operations = files.operations
        let (outer, inner) = (path + "/a", path + "/a/b")
        #expect(
            operations.prefix(4) == [
                .makeFolder(outer), .synchronizeFolder(path), .makeFolder(inner), .synchronizeFolder(outer),
            ])
        #expect(operations.contains(.write(file: 0, bytes: [1])))
        #expect(operations.contains(.synchronize(file: 0)))
        #expect(operations.suffix(2) == [.remove(path + "/a/b/c"), .note("done")])
        #expect(operations.count == 11)
    }
}
