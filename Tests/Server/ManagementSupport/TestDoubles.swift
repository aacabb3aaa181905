import Foundation
import Glibc
import HearthStorage
import HearthTestSupport
import HearthValidation
import HearthWire
import HearthWork
import Synchronization

/// A program that stands in for `hearth probe`: its verdict is the first word of the file that it is shown.
///
/// It is a file of the package, because one that a test just wrote cannot be started while another test's child
/// process still holds the descriptor it was written through.
enum FakeProbe {
    static let validator = ModelValidator(
        executable: TestPaths.fixtures.appendingPathComponent("API/probe").path, limits: limits)

    /// However busy the machine is, a verdict is never one about time.
    private static let limits: ProbeLimits = {
        var limits = ProbeLimits()
        (limits.wallSeconds, limits.measuringWallSeconds) = (3600, 3600)
        return limits
    }()

    /// File contents for each verdict; `text` makes them different.
    static func ok(_ text: String = "") -> String { "ok \(text)\n" }
    /// As sound as the others, with another input.
    static func otherContract(_ text: String = "") -> String { "other \(text)\n" }
    /// With the contract of `ok`, other operators and an author.
    static func otherOperators(_ text: String = "") -> String { "operators \(text)\n" }
    static func unsupported(_ text: String = "") -> String { "unsupported \(text)\n" }
    /// Sound, and the probe says how images go in: of a detector, and of a labeler with two outputs.
    static func boxes(_ text: String = "") -> String { "boxes \(text)\n" }
    static func heads(_ text: String = "") -> String { "heads \(text)\n" }
    /// Sound, but images cannot go in: the file does not say how, or nothing would help.
    static func unstated(_ text: String = "") -> String { "unstated \(text)\n" }
    static func mask(_ text: String = "") -> String { "mask \(text)\n" }
    /// Sound, but its run crashes.
    static func dying(_ text: String = "") -> String { "dying \(text)\n" }
    /// Malformed too, but it keeps its bytes, because it may be packed.
    static func archive(_ text: String = "") -> String { "archive \(text)\n" }
    static func malformed(_ text: String = "") -> String { "malformed \(text)\n" }
}

/// A check that takes until the test opens the gate.
final class BlockingChecker: FileChecker {
    private let blobLock = NSCondition()
    // Guarded by `blobLock`.
    nonisolated(unsafe) private var isOpen = false

    func report(descriptor: Int32) throws(ProbeFailure) -> ProbeReport {
        blobLock.lock()
        while !isOpen { blobLock.wait() }
        blobLock.unlock()
        return try FakeProbe.validator.report(descriptor: descriptor)
    }

    func open() {
        blobLock.lock()
        isOpen = true
        blobLock.broadcast()
        blobLock.unlock()
    }
}

/// Runs nothing until it is told that the time has come.
final class TurnScheduler: WorkScheduler {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var count: Int { waiting.withLock { $0.count } }

    func run(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) { run(work) }

    /// Runs what waits now, and not what that leaves waiting.
    func passTime() {
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for item in work { item() }
    }
}

/// A store that remembers which threads wrote to it.
final class RecordingStore: MetadataStore {
    private let store: any MetadataStore
    private let threads = Mutex<[pthread_t]>([])

    init(_ store: any MetadataStore) { self.store = store }

    /// The thread of each write since the beginning, in order.
    var writers: [pthread_t] { threads.withLock { $0 } }

    var servingRevision: UInt64 { store.servingRevision }
    var isDamaged: Bool { store.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        threads.withLock { $0.append(pthread_self()) }
        return try store.write(body)
    }
}

/// A store of one of several servers that hears nothing of what the others change, until it asks. It counts how often it
/// does.
final class DeafStore: MetadataStore {
    private let store: any MetadataStore
    private let heard: Mutex<(revision: UInt64, questions: Int)>
    private let watched = Mutex<(thread: pthread_t, reads: Int)>((0, 0))

    init(_ store: any MetadataStore) {
        self.store = store
        heard = Mutex((store.servingRevision, 0))
    }

    var questions: Int { heard.withLock { $0.questions } }

    var servingRevision: UInt64 { heard.withLock { $0.revision } }
    var isDamaged: Bool { store.isDamaged }
    var coordination: any ServerCoordination { store.coordination }

    func currentServingRevision() throws -> UInt64 {
        let revision = try store.currentServingRevision()
        heard.withLock { $0 = (revision, $0.questions + 1) }
        return revision
    }

    /// How often the calling thread has read.
    func readsHere(_ body: () throws -> Void) throws -> Int {
        let here = pthread_self()
        watched.withLock { $0 = (here, 0) }
        try body()
        return watched.withLock { $0.reads }
    }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        let here = pthread_self()
        watched.withLock { if $0.thread == here { $0.reads += 1 } }
        return try store.read(body)
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try store.write(body) }
}

/// A store that begins each transaction twice and undoes the first attempt, as a database does that another server's
/// transaction came in between.
final class RepeatingStore: MetadataStore {
    private struct Undone: Error {}

    private let store: any MetadataStore

    init(_ store: any MetadataStore) { self.store = store }

    var servingRevision: UInt64 { store.servingRevision }
    var isDamaged: Bool { store.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        do {
            try store.write { writer in
                _ = try body(writer)
                throw Undone()
            }
        } catch is Undone {}
        return try store.write(body)
    }
}
