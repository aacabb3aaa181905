import Dispatch
import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthCrashGuard

/// What the guard makes of the marks in a store, without a process that ends.
@Suite("Marks of earlier processes", .limitedTime)
struct CrashGuardTests {
    private let folder: TemporaryFolder
    private let crashGuard: CrashGuard
    private let digest = SHA256Hasher.hash(Array("version".utf8))

    init() throws {
        folder = try TemporaryFolder()
        crashGuard = CrashGuard(storeFolder: folder.path, files: DiskFiles())
    }

    /// Leaves what a process leaves that ended so.
    private func leave(_ mark: Mark, hash: String? = nil) throws {
        _ = try folder.write(mark.bytes, to: "trials/\(MarkFile.newName(hash ?? digest.hex))")
    }

    private func findings() -> [CrashGuard.Finding] { crashGuard.findings(known: [digest.hex]) }

    private func files() throws -> [String] { try DiskFiles().list(folder.path + "/trials").filter { $0 != ".lock" } }

    @Test("Each fatal signal is found by its name, on trial and after it, in or after a run")
    func signals() throws {
        for successes: UInt64 in [0, 1, 1000] {
            for (signal, name): (UInt32, String) in [
                (4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV"),
                (31, "signal-31"),
            ] {
                let other = SHA256Hasher.hash(Array("\(successes) \(signal)".utf8)).hex
                try leave(Mark(running: 1, successes: successes, signal: signal), hash: other)
                #expect(crashGuard.findings(known: [other]) == [CrashGuard.Finding(hash: other, crashes: [name: 1])])
            }
        }
    }

    @Test("A death in a run is found on trial, after results too, and never after the trial")
    func deaths() throws {
        try leave(Mark(running: 1))
        try leave(Mark(running: 1, successes: 1))
        #expect(findings().map(\.crashes) == [["died": 2]])
        try leave(Mark(successes: 100))
        try leave(Mark(running: 1))
        #expect(findings().map(\.crashes) == [[:]])
        #expect(!crashGuard.isOnTrial(digest))
    }

    @Test("An end in order, outside of a run, or by the signal of another thread outside of a run is not")
    func harmlessEnds() throws {
        try leave(Mark(running: 1, hasEnded: true))
        try leave(Mark())
        try leave(Mark(otherSignal: 11))
        #expect(findings().map(\.crashes) == [[:]])
    }

    @Test("A rejection comes with the crash that decided it, and ends the version's record")
    func rejection() throws {
        try leave(Mark(running: 1, signal: 11))
        #expect(findings() == [CrashGuard.Finding(hash: digest.hex, crashes: ["SIGSEGV": 1])])
        #expect(try files() == ["\(digest.hex).trial"])
        try leave(Mark(running: 1, signal: 6))
        #expect(findings() == [CrashGuard.Finding(hash: digest.hex, crashes: ["SIGABRT": 1], rejection: .crashes)])
        #expect(try files().isEmpty)
    }

    @Test("The marks of a version that is not on the device any more, and damaged ones, go")
    func strangers() throws {
        try leave(Mark(running: 1, signal: 11), hash: String(repeating: "a", count: 64))
        _ = try folder.write([1, 2, 3], to: "trials/\(MarkFile.newName(digest.hex))")
        _ = try folder.write(Mark(form: 7, signal: 11).bytes, to: "trials/\(MarkFile.newName(digest.hex))")
        #expect(findings().isEmpty)
        #expect(try files().isEmpty)
    }

    @Test(
        "Uses on many threads, inside of each other and ended by other threads, are all counted and leave nothing running"
    )
    func threads() throws {
        let version = try #require(crashGuard.version(digest))
        let before = version.successes
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            // Goes on while the others use all numbers many times.
            let long = version.begin()
            for count in 0..<500 {
                let outer = version.begin()
                version.end(version.begin(), isSuccess: true)
                if count % 50 == thread {
                    DispatchQueue.global().sync { version.end(outer, isSuccess: true) }
                } else {
                    version.end(outer, isSuccess: count % 2 == 0)
                }
            }
            version.end(long, isSuccess: false)
        }
        // 500 inner ones, 250 outer ones, and those of the 10 that another thread ends whose number is odd.
        let expected = (0..<8).reduce(0) { $0 + 500 + 250 + ($1 % 2 == 0 ? 0 : 10) }
        #expect(version.successes - before == expected)
        #expect(findings().isEmpty, "the mark of a process that lives stays")
        let name = try #require(try files().first { MarkFile.hash(of: $0) != nil })
        let life = try #require(MarkFile.life(try DiskFiles().read(folder.path + "/trials/" + name, limitBytes: 4096)))
        #expect(!life.isRunning && life.crashSignal == nil && !life.isOrderly)
        #expect(life.successes >= TrialRecord.longRunLimit)
    }
}

/// A mark as its bytes in a file.
private struct Mark {
    var form: UInt32 = 0x484d_4b31
    var running: UInt32 = 0
    var successes: UInt64 = 0
    var signal: UInt32 = 0
    var otherSignal: UInt32 = 0
    var hasEnded = false

    var bytes: [UInt8] {
        let fields = [
            UInt64(form) | UInt64(running) << 32, successes, UInt64(signal) | UInt64(otherSignal) << 32,
            hasEnded ? 1 : 0,
        ]
        return fields.flatMap { field in withUnsafeBytes(of: field.littleEndian) { Array($0) } }
    }
}
