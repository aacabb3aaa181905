import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@Suite("Small files that are replaced whole")
struct AtomicFileTests {
    private let old = [UInt8]("old contents".utf8)
    private let new = [UInt8]("the new and longer contents".utf8)

    @Test("the contents, the mode, and nothing beside it")
    func write() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/record"
        try AtomicFile.write(old, to: path)
        try AtomicFile.write(new, to: path, mode: 0o640)
        #expect(try DiskFiles().read(path, limitBytes: 100) == new)
        #expect(try DiskFiles().list(folder.path) == ["record"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test("what a killed writer left is swept; what a living one writes stays")
    func sweep() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(old, to: "record")
        _ = try folder.write(new, to: "record.new-left")
        let living = try DiskFiles().createFile(folder.path + "/record.new-living", mode: 0o600)
        try living.write(new)
        try AtomicFile.sweepAbandoned(in: folder.path)
        #expect(try DiskFiles().list(folder.path) == ["record", "record.new-living"])
        withExtendedLifetime(living) {}
    }

    @Test("beside other people's files only what a killed writer left is swept")
    func sweepBesideOthers() throws {
        let folder = try TemporaryFolder()
        let others = [
            "other.new-03w5e11264sgs.hearth", "record.new-03w5e11264sgs", "record.new-03w5e11264sgs.hearth.old",
            "record.new-1234567890123.hearth", "record.new-2027", "record.new-copy", "record.new-x.hearth",
        ]
        for name in others + ["record.new-03w5e11264sgs.hearth"] { _ = try folder.write(old, to: name) }
        try AtomicFile.sweepAbandoned(of: folder.path + "/record")
        #expect(try DiskFiles().list(folder.path).sorted() == others.sorted())
    }

    @Test("what an interrupted write leaves has a name that is known, and is swept")
    func temporaryNames() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/record"
        for _ in 0..<100 {
            // As a killed writer does: nothing is renamed or removed.
            let files = FailingFiles { operation in
                switch operation {
                case .rename, .remove: FileError(.noSpace, "full")
                default: nil
                }
            }
            #expect(fileErrorCode { try AtomicFile.write(old, to: path, files: files) } == .noSpace)
        }
        let names = try DiskFiles().list(folder.path)
        #expect(names.count == 100)
        #expect(names.allSatisfy { AtomicFile.isTemporary($0, of: "record") && AtomicFile.isTemporary($0) })
        try AtomicFile.sweepAbandoned(of: path)
        #expect(try DiskFiles().list(folder.path) == [])
    }

    @Test("whatever step fails, the old contents stay and the error says why", arguments: 0..<4)
    func failures(step: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/record"
        try AtomicFile.write(old, to: path)
        let files = FailingFiles { operation in
            let fails: Bool =
                switch operation {
                case .createFile: step == 0
                case .write: step == 1
                case .synchronize: step == 2
                case .rename: step == 3
                default: false
                }
            return fails ? FileError(.noSpace, "full") : nil
        }
        #expect(fileErrorCode { try AtomicFile.write(new, to: path, files: files) } == .noSpace)
        #expect(try DiskFiles().read(path, limitBytes: 100) == old)
        #expect(try DiskFiles().list(folder.path) == ["record"], "no temporary file stays")
    }

    /// The store under test: one record.
    private func record(_ files: (RecordingFiles) -> any FileOperations) throws -> CrashReplay {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        for (contents, mark) in [(old, "old"), (new, "new")] {
            try AtomicFile.write(contents, to: folder.path + "/record", files: files(recording))
            recording.note(mark)
        }
        return CrashReplay(recording)
    }

    /// Whether a disk after a power loss holds what its caller may expect.
    private func isSound(_ state: CrashReplay.State) throws -> Bool {
        let path = state.folder + "/record"
        let found = try DiskFiles().size(path) == nil ? nil : try DiskFiles().read(path, limitBytes: 100)
        switch state.notes.last {
        case "new": return found == new
        case "old": return found == old || found == new
        default: return found == nil || found == old
        }
    }

    @Test("after a power loss at any moment: the old contents or the new ones, and those that were promised")
    func crashes() throws {
        let count = try record { $0 }.forEachState { state in
            let isSound = try isSound(state)
            #expect(isSound, "\(state)")
        }
        #expect(count >= 12)
    }

    @Test(
        "control: without synchronisation the same check finds broken states",
        arguments: UnsynchronizedFiles.Omission.allCases)
    func control(omission: UnsynchronizedFiles.Omission) throws {
        var broken = 0
        try record { UnsynchronizedFiles($0, without: omission) }.forEachState { state in
            if try !isSound(state) { broken += 1 }
        }
        #expect(broken > 0)
    }
}
