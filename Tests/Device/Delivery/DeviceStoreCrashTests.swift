import HearthCrypto
import HearthFiles
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthDelivery

@Suite("The device store after a power loss")
struct DeviceStoreCrashTests {
    private static let versions = [Sample.v1, Array(Sample.v2.prefix(3000)), Sample.v3]

    private static func install(_ bytes: [UInt8], in store: DeviceStore) throws {
        let file = try store.begin(size: UInt64(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            try bytes[start..<min(start + 1000, bytes.count)].withUnsafeBytes { try file.write($0) }
        }
        _ = try store.install(
            file, name: "digits", version: 1, digest: SHA256Hasher.hash(bytes), size: UInt64(bytes.count))
    }

    private func record(_ files: (RecordingFiles) -> any FileOperations) throws -> CrashReplay {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        let store = try DeviceStore(folder: folder.path + "/app", files: files(recording))
        for (index, bytes) in Self.versions.enumerated() {
            try Self.install(bytes, in: store)
            recording.note("installed \(index)")
        }
        return CrashReplay(recording)
    }

    /// What is wrong with a store as a program finds it after the power came back; nil when nothing is.
    private func problem(_ state: CrashReplay.State) throws -> String? {
        let store = try DeviceStore(folder: state.folder + "/app", files: DiskFiles())
        let promised = state.notes.count - 1
        switch try store.find("digits") {
        case .damaged: return "the pointer leads to no whole file"
        case .missing: return promised >= 0 ? "an installed model is lost" : nil
        case .installed(let model):
            guard let found = Self.versions.firstIndex(where: { $0 == model.contents }) else { return "not a version" }
            guard (promised...promised + 1).contains(found) else { return "version \(found) instead of \(promised)" }
            return try store.list() == [model] ? nil : "the list says something else"
        }
    }

    @Test("one whole version, the promised one or the next, and it works offline")
    func crashes() throws {
        let count = try record { $0 }.forEachState { state in
            let problem = try problem(state)
            #expect(problem == nil, "\(problem ?? ""): \(state)")
        }
        #expect(count >= 40)
    }

    @Test("after any power loss the next version installs, and nothing is left over")
    func worksOn() throws {
        let next = [UInt8]("the version after the power loss".utf8)
        try record { $0 }.forEachState { state in
            let store = try DeviceStore(folder: state.folder + "/app", files: DiskFiles())
            try Self.install(next, in: store)
            guard case .installed(let model) = try store.find("digits") else {
                Issue.record("\(state)")
                return
            }
            #expect(model.contents == next)
            let files = try DiskFiles().list(state.folder + "/app/files")
            let full = try files.filter { try DiskFiles().size(state.folder + "/app/files/" + $0) != 0 }
            #expect(full.count <= 2, "\(state)")
        }
    }

    @Test("a power loss while a model is deleted: there or gone, and gone once it was said")
    func deletion() throws {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        let store = try DeviceStore(folder: folder.path + "/app", files: recording)
        try Self.install(Sample.v1, in: store)
        recording.note("installed")
        #expect(try store.delete("digits"))
        recording.note("deleted")
        try CrashReplay(recording).forEachState { state in
            let store = try DeviceStore(folder: state.folder + "/app", files: DiskFiles())
            switch try store.find("digits") {
            case .damaged: Issue.record("\(state)")
            case .installed: #expect(state.notes != ["installed", "deleted"], "\(state)")
            case .missing: #expect(true)
            }
        }
    }

    @Test("control: a store without synchronisation fails the same check", arguments: CarelessFiles.Omission.allCases)
    func careless(omission: CarelessFiles.Omission) throws {
        var problems: Set<String> = []
        try record { CarelessFiles($0, without: omission) }.forEachState { state in
            if let problem = try problem(state) { problems.insert(problem) }
        }
        #expect(problems.contains("the pointer leads to no whole file"))
    }

    @Test("control: a store that moves the pointer before the file is there fails the same check")
    func pointerFirst() throws {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        _ = try DeviceStore(folder: folder.path + "/app", files: recording)
        let content = try ContentStore(folder: folder.path + "/app/files", files: recording)
        let pointer = ModelPointer(
            name: "digits", hash: Sample.hash(Sample.v1), size: UInt64(Sample.v1.count), previousHash: nil)
        try AtomicFile.write(
            WireJSON.encode(pointer), to: folder.path + "/app/models/digits.json", files: recording)
        let file = try content.begin(limitBytes: 1000)
        try Sample.v1.withUnsafeBytes { try file.write($0) }
        try file.commit()
        recording.note("installed 0")
        var problems: Set<String> = []
        try CrashReplay(recording).forEachState { state in
            if let problem = try problem(state) { problems.insert(problem) }
        }
        #expect(problems == ["the pointer leads to no whole file"])
    }
}
