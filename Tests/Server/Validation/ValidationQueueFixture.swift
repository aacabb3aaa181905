import Foundation
import Glibc
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthValidation
import HearthWire
import HearthWork
import Synchronization

/// A checker that does what the test says: its report is chosen by the file's text.
final class ScriptedChecker: FileChecker {
    private let seen = Mutex<[String]>([])
    private let answer: @Sendable (String) throws(ProbeFailure) -> ProbeReport

    /// The texts of the files checked, in order.
    var checked: [String] { seen.withLock { $0 } }

    init(_ answer: @escaping @Sendable (String) throws(ProbeFailure) -> ProbeReport) { self.answer = answer }

    func report(descriptor: Int32) throws(ProbeFailure) -> ProbeReport {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        seen.withLock { $0.append(text) }
        return try answer(text)
    }

    static let contract = ModelContract(inputs: [], outputs: [], operators: [], signatures: [])

    /// Malformed, unsupported or, for all other texts, ok.
    static let byText = { @Sendable (text: String) throws(ProbeFailure) -> ProbeReport in
        switch text.prefix(3) {
        case "bad": ProbeReport(verdict: .malformed, message: "The file ends too early.")
        case "odd": ProbeReport(verdict: .unsupported, message: "No operator X.", contract: contract)
        default: ProbeReport(verdict: .ok, contract: contract)
        }
    }
}

/// What happened, in order, from any thread.
final class Recorder<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])
    var all: [Item] { items.withLock { $0 } }
    func add(_ item: Item) { items.withLock { $0.append(item) } }
}

/// A queue over the stores of a data folder, with three projects and no clock.
final class ValidationQueueFixture: Sendable {
    private let stores: TestStores
    var metadata: any MetadataStore { stores.metadata }
    var blobs: any BlobStore { stores.blobs }
    let scheduler = ManualScheduler()
    let checker: ScriptedChecker
    let queue: ValidationQueue
    let lines = Recorder<String>()
    /// The clock moves on whenever somebody looks at it.
    private let ticks = Recorder<Void>()

    init(
        _ checker: ScriptedChecker = ScriptedChecker(ScriptedChecker.byText), limits: QueueLimits = QueueLimits(),
        starts: Bool = true
    ) throws {
        self.checker = checker
        stores = try TestStores()
        try stores.metadata.write { store in
            for (number, id) in ["project-a", "project-b", "project-c"].enumerated() {
                try store.insert(Project(id: id, number: Int64(number + 1), createdMicroseconds: 0))
            }
        }
        queue = ValidationQueue(
            metadata: stores.metadata, blobs: stores.blobs, checker: checker, limits: limits, scheduler: scheduler,
            now: { [ticks] in
                ticks.add(())
                return Timestamp(microseconds: Int64(ticks.all.count))
            }, log: { [lines] in lines.add($0) })
        if starts { try queue.start() }
    }

    /// What an upload does; returns the hash.
    @discardableResult func upload(
        _ text: String, named name: String? = nil, as project: String = "project-a"
    ) throws -> String {
        let blob = try blobs.begin(limitBytes: 1000)
        try Array(text.utf8).withUnsafeBytes { try blob.write($0) }
        let digest = SHA256Hasher.hash(text.utf8)
        _ = try blob.seal()
        _ = try queue.admit(digest, sizeBytes: blob.size, project: project, commit: { try blob.commit() }) { store in
            try store.put(
                UploadedObject(
                    projectID: project, bucket: "bucket", name: name ?? text, sha256: digest.hex,
                    sizeBytes: UInt64(text.utf8.count), crc32c: 0, createdMicroseconds: 0))
        }
        return digest.hex
    }

    func verdict(_ sha256: String) throws -> Verdict? {
        try metadata.read { try $0.validation(sha256: sha256)?.verdict }
    }

    func hasBytes(_ sha256: String) throws -> Bool {
        guard let digest = SHA256Digest(hex: sha256) else { return false }
        return try blobs.size(of: digest) != nil
    }

    /// A model that is to be published with these bytes when they have passed.
    func makeWaitingModel(_ name: String, _ sha256: String) throws -> Int64 {
        try metadata.write { store in
            let id = try store.nextModelID()
            var model = Model(
                id: id, projectID: "project-a", displayName: name, tags: [], createdMicroseconds: 0,
                updatedMicroseconds: 0)
            model.newestVersion = 1
            model.publishWhenValidated = 1
            try store.insert(model)
            try store.insert(
                ModelVersion(
                    modelID: id, number: 1, sha256: sha256, sizeBytes: 1, sourceURI: "gs://bucket/x",
                    createdMicroseconds: 0, createdBy: "somebody@example"))
            return id
        }
    }

    func model(_ id: Int64) throws -> Model? { try metadata.read { try $0.model(id: id, project: "project-a") } }
}

/// The stores of a data folder, which goes with them.
struct TestStores: Sendable {
    let folder: TemporaryFolder
    let metadata: any MetadataStore
    let blobs: any BlobStore

    init() throws {
        folder = try TemporaryFolder()
        metadata = try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite")
        blobs = try FileBlobStore(folder: folder.path + "/blobs")
    }
}

/// Runs work when the test says so, on the test's thread.
final class ManualScheduler: WorkScheduler {
    private struct State {
        var ready: [@Sendable () -> Void] = []
        var later: [(seconds: Double, work: @Sendable () -> Void)] = []
        var now = 0.0
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.ready.append(work) } }

    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.later.append(($0.now + seconds, work)) }
    }

    /// What was begun and has not run yet.
    var readyCount: Int { state.withLock { $0.ready.count } }

    /// Runs one piece of work; false when there is none.
    @discardableResult func step() -> Bool {
        guard let work = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) else { return false }
        work()
        return true
    }

    /// Runs all there is, and what that begins.
    func drain() { while step() {} }

    /// Lets time pass, then runs all there is.
    func advance(seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.later.filter { $0.seconds <= state.now }
            state.later.removeAll { $0.seconds <= state.now }
            return due
        }
        for item in due { item.work() }
        drain()
    }
}
