import HearthCrypto
import HearthFiles
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthDelivery

/// The device store after a power loss at any moment: a whole old or new model, and never none after one was installed.
@Suite("The device store after a power loss")
struct DeviceStoreCrashTests {
    private static let v1 = Sample.v1
    private static let v2 = Array(Sample.v2.prefix(3000))
    private static let v3 = Sample.v3

    /// A model's life. Each step records which versions are whole from its beginning on, and which from its end on.
    enum Scenario: CaseIterable {
        case updates, resumedFirst, resumedUpdate, restarted, abandoned, deletion, collection, reject, migration,
            again

        func tell(_ folder: String, _ files: any FileOperations) throws {
            switch self {
            case .updates:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                try expecting([v1, v2], then: [v2], files) { try store.install(v2) }
                try expecting([v2, v3], then: [v3], files) { try store.install(v3) }
            case .resumedFirst:
                try breakOff(v2, folder, files)
                try expecting([nil, v2], then: [v2], files) {
                    try DeviceStore(folder: folder, files: files).install(v2)
                }
            case .resumedUpdate:
                try expecting([nil, v1], then: [v1], files) {
                    try DeviceStore(folder: folder, files: files).install(v1)
                }
                try breakOff(v2, folder, files)
                try expecting([v1, v2], then: [v2], files) {
                    try DeviceStore(folder: folder, files: files).install(v2)
                }
            case .restarted:
                let store = try DeviceStore(folder: folder, files: files)
                try breakOff(v2, folder, files)
                let file = try store.begin(v2)
                try file.restart(validator: "another")
                try file.add(v2)
                try expecting([nil, v2], then: [v2], files) {
                    try store.install(file, name: "digits", version: 2)
                }
            case .abandoned:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                try breakOff(v2, folder, files)
                try expecting([v1, v3], then: [v3], files) { try store.install(v3) }
            case .deletion:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                #expect(try expecting([v1, nil], then: [nil], files) { try store.delete("digits") })
            case .collection:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                try store.install(v2, as: "other")
                try breakOff(v3, folder, files)
                LeasedFiles.shared.release(.init(folder: folder, name: "other"))
                try files.remove(folder + "/models/other.json")
                #expect(try expecting([v1], then: [v1], files) { try store.collect() } > 0)
            case .reject:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                try expecting([v1, v2], then: [v2], files) { try store.install(v2) }
                let model = try expecting([v2, v1], then: [v1], files) { try store.reject(v2) }
                #expect(model?.contents == v1)
            case .migration:
                try expecting([nil, v1], then: [v1], files) {
                    try Format1Store(folder: folder, files: files).install(v1, before: v3)
                }
                try expecting([v1], then: [v1], files) {
                    try DeviceStore(folder: folder, files: files)
                }
                try expecting([v1, v2], then: [v2], files) {
                    try DeviceStore(folder: folder, files: files).install(v2)
                }
            case .again:
                let store = try DeviceStore(folder: folder, files: files)
                try expecting([nil, v1], then: [v1], files) { try store.install(v1) }
                try expecting([v1], then: [v1], files) { try store.install(v1, version: 2) }
            }
        }

        @discardableResult
        private func expecting<Value>(
            _ during: [[UInt8]?], then after: [[UInt8]?], _ files: any FileOperations, _ step: () throws -> Value
        ) throws -> Value {
            files.note(Self.note(during))
            let value = try step()
            files.note(Self.note(after))
            return value
        }

        /// Half of a download, as a killed process leaves it.
        private func breakOff(_ bytes: [UInt8], _ folder: String, _ files: any FileOperations) throws {
            let file = try DeviceStore(folder: folder, files: files).begin(bytes)
            try file.restart(validator: "validator")
            try file.add(bytes, upTo: bytes.count / 2)
        }

        static func note(_ versions: [[UInt8]?]) -> String {
            versions.map { $0.map(Sample.hash) ?? "none" }.joined(separator: " ")
        }
    }

    private func record(
        _ story: Scenario, _ files: (RecordingFiles) -> any FileOperations = { $0 }
    ) throws -> CrashReplay {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        // Made before a fault can affect it.
        if story != .migration { _ = try DeviceStore(folder: folder.path + "/app", files: recording) }
        try story.tell(folder.path + "/app", files(recording))
        return CrashReplay(recording)
    }

    /// What is wrong with a store when a program finds it after the power loss; nil when everything is right.
    private func problem(_ state: CrashReplay.State) throws -> String? {
        let folder = state.folder + "/app"
        let store = try DeviceStore(folder)
        let sound = (state.notes.last ?? "none").split(separator: " ").map(String.init)
        var found = "none"
        switch try store.find("digits") {
        case .damaged: return "the pointer leads to no whole file"
        case .missing: break
        case .installed(let model):
            guard model.contents.map(Sample.hash) == model.hash else { return "not what was said" }
            guard try store.list().contains(model) else { return "the list says something else" }
            found = model.hash
        }
        guard sound.contains(found) else { return found == "none" ? "an installed model is lost" : "another version" }
        _ = try store.collect()
        return try leftovers(folder, store)
    }

    /// After a garbage collection only the files to which pointers and records refer are left.
    private func leftovers(_ folder: String, _ store: DeviceStore) throws -> String? {
        let pointers = PointerFolder(
            folder: folder + "/models", content: try ContentStore(folder: folder + "/files"), files: DiskFiles())
        let wanted = Set(try pointers.all().flatMap { [$0.current?.hash, $0.previous?.hash].compactMap { $0 } })
        var names = Set(try DiskFiles().list(folder + "/files")).subtracting(wanted)
        for name in names where name.hasPrefix("partial-") && !name.hasSuffix(".json") {
            // Resumable, and with a record.
            if names.remove(name + ".json") != nil { names.remove(name) }
        }
        names.formUnion(try DiskFiles().list(folder).filter { !["format", "files", "models"].contains($0) })
        names.formUnion(
            try DiskFiles().list(folder + "/models").filter { !$0.hasSuffix(".json") && !$0.hasSuffix(".lock") })
        return names.isEmpty ? nil : "left over: \(names.sorted())"
    }

    @Test("A whole model, the reported one or the next, and no other files", arguments: Scenario.allCases)
    func crashes(story: Scenario) throws {
        let count = try record(story).forEachState { state in
            let problem = try problem(state)
            #expect(problem == nil, "\(problem ?? ""): \(state)")
        }
        #expect(count >= 20)
    }

    @Test(
        "After any power loss the next version can be installed, no matter what is left of its download",
        arguments: Scenario.allCases
    )
    func worksOn(story: Scenario) throws {
        try record(story).forEachState { state in
            let store = try DeviceStore(state.folder + "/app")
            // The bytes of the interrupted downloads: some of them may be there, and may be wrong.
            let file = try store.begin(Self.v2)
            try file.add(Self.v2)
            let wasResumed = file.resumedSize > 0
            do {
                _ = try store.install(file, name: "digits", version: nil)
            } catch let error as FileError {
                #expect(error.code == .mismatch && wasResumed, "\(error): \(state)")
                try store.install(Self.v2)
            }
            #expect(try store.contents() == Self.v2, "\(state)")
        }
    }

    @Test(
        "Control: a store without synchronisation fails the same check",
        arguments: UnsynchronizedFiles.Omission.allCases)
    func careless(omission: UnsynchronizedFiles.Omission) throws {
        var problems: Set<String> = []
        try record(.updates) { UnsynchronizedFiles($0, without: omission) }.forEachState { state in
            if let problem = try problem(state) { problems.insert(problem) }
        }
        #expect(problems.contains("the pointer leads to no whole file"))
    }

    @Test("Control: a store that moves the pointer before the file is there fails the same check")
    func pointerFirst() throws {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        let old = Format1Store(folder: folder.path + "/app", files: recording)
        recording.note(Scenario.note([nil, Self.v1]))
        try old.writePointer(Self.v1, before: nil)
        try old.writeFile(Self.v1)
        recording.note(Scenario.note([Self.v1]))
        var problems: Set<String> = []
        try CrashReplay(recording).forEachState { state in
            if let problem = try problem(state) { problems.insert(problem) }
        }
        #expect(problems == ["the pointer leads to no whole file"])
    }
}

extension DeviceStoreCrashTests.Scenario {
    private var v1: [UInt8] { Sample.v1 }
    private var v2: [UInt8] { Array(Sample.v2.prefix(3000)) }
    private var v3: [UInt8] { Sample.v3 }
}

/// A store as the first version of the package wrote it: no format number, and the previous version's hash only.
struct Format1Store {
    let folder: String
    let files: any FileOperations

    private struct Pointer: Encodable {
        var name: String
        var version: Int?
        var hash: String
        var size: Int
        var previousHash: String?
    }

    func install(_ bytes: [UInt8], as name: String = "digits", before previous: [UInt8]? = nil) throws {
        if let previous { try writeFile(previous) }
        try writeFile(bytes)
        try writePointer(bytes, as: name, before: previous)
    }

    func writeFile(_ bytes: [UInt8]) throws {
        let file = try ContentStore(folder: folder + "/files", files: files).begin(limitBytes: 1_000_000)
        try bytes.withUnsafeBytes { try file.write($0) }
        try file.commit()
    }

    func writePointer(_ bytes: [UInt8], as name: String = "digits", before previous: [UInt8]?) throws {
        try files.makeFolder(folder + "/models", mode: 0o700)
        let pointer = Pointer(
            name: name, version: 7, hash: Sample.hash(bytes), size: bytes.count,
            previousHash: previous.map(Sample.hash))
        try AtomicFile.write(
            WireJSON.encode(pointer), to: folder + "/models/\(PointerFolder.fileName(name)).json", files: files)
    }
}
