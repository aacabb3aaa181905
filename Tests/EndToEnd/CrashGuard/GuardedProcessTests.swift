import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

/// Programs that run a model and are killed, or crash. Each has two versions of it in its store: `old` and `new`.
@Suite("Versions that end the process", .limitedTime)
struct GuardedProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try run("install", "old", "run", "3")
        try run("run", "3", "install", "new")
    }

    private func start(_ actions: [String]) throws -> RunningProgram {
        try RunningProgram(
            HearthProgram.path("CrashGuardProgram"), [folder.path] + actions,
            environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    @discardableResult
    private func run(_ actions: String...) throws -> ProcessResult {
        try start(actions).waitForExit(seconds: 120)
    }

    private func installed() throws -> String {
        try run("text").output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Kills a program from outside while it does this.
    private func killDuring(_ actions: String..., signal: Int32 = SIGKILL) throws {
        let running = try start(actions)
        _ = try running.readOutput(until: "running", seconds: 120)
        running.send(signal)
        _ = try running.waitForExit(seconds: 120)
    }

    @Test(
        "Two fatal signals in the thread that runs it bring the version before back",
        arguments: [
            SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP,
        ])
    func fatalSignals(_ signal: Int32) throws {
        let first = try run("run-and-crash", "\(signal)")
        #expect(first.exitCode == nil, "the signal ends the process as without the guard")
        #expect(try installed() == "new")
        try run("run-and-crash", "\(signal)")
        #expect(try installed() == "old")
        // The server still has the version; it is not installed again.
        try run("install", "new")
        #expect(try installed() == "old")
        try run("install", "newer")
        #expect(try installed() == "newer")
    }

    @Test("They also do after the trial")
    func crashesAfterTrial() throws {
        try run("run", "100")
        for _ in 0..<5 { try killDuring("run-and-hang") }
        #expect(try installed() == "new")
        try run("run", "5", "run-and-crash", "\(SIGSEGV)")
        #expect(try installed() == "new")
        try run("run", "5", "run-and-crash", "\(SIGSEGV)")
        #expect(try installed() == "old")
    }

    @Test(
        "An abort on a thread of Dispatch and a stack overflow count too",
        arguments: [
            "crash-on-dispatch-thread", "overflow-stack",
        ])
    func hardPlaces(_ action: String) throws {
        for _ in 0..<2 {
            #expect(try installed() == "new")
            #expect(try run(action).exitCode == nil)
        }
        #expect(try installed() == "old")
    }

    @Test("So does one in a run during which another thread runs the version 300 times")
    func longRun() throws {
        for _ in 0..<2 {
            #expect(try installed() == "new")
            #expect(try run("run-long-and-crash", "\(SIGFPE)").exitCode == nil)
        }
        #expect(try installed() == "old")
    }

    @Test("Two fatal signals on a thread of the engine's own count, if only this version runs")
    func engineThread() throws {
        try run("run", "100")
        for _ in 0..<2 {
            #expect(try installed() == "new")
            try crashInEngine()
        }
        #expect(try installed() == "old")
    }

    @Test("They count for no version if two of them run")
    func engineThreadOfTwoVersions() throws {
        for (first, second) in [("new", "newer"), ("newer", "new"), ("new", "newer")] {
            try crashInEngine(
                "install", first, "run", "100", "keep-running", "install", second, "run", "100")
        }
        #expect(try installed() == "newer")
        try run("install", "new")
        #expect(try installed() == "new", "neither is rejected")
    }

    /// Runs a model with two threads until the thread crashes that the engine made.
    private func crashInEngine(_ before: String...) throws {
        let path = TestPaths.fixtures.appendingPathComponent("models/add.tflite").path
        // The calling thread can be the first to reach the page that is missing. Then the program ends without a signal,
        // which says nothing about a version that is not on trial.
        for _ in 0..<50 {
            let ending = try start(before + ["crash-in-engine", path]).waitForExit(seconds: 120)
            if ending.exitCode == nil { return }
            try #require(ending.exitCode == 77, "\(ending)")
        }
        Issue.record("the engine's own thread never came first")
    }

    @Test("A fatal signal of another thread counts only as a death")
    func otherThread() throws {
        for _ in 0..<2 { #expect(try run("crash-elsewhere", "\(SIGSEGV)").exitCode == nil) }
        #expect(try installed() == "new")
        try run("run", "3")
        try run("run", "3")
        for _ in 0..<5 { try run("crash-elsewhere", "\(SIGSEGV)") }
        #expect(try installed() == "new")
    }

    @Test(
        "kill -9 in the first run of three processes brings the version before back",
        arguments: [
            "run-and-hang", "load-and-hang",
        ])
    func killed(_ action: String) throws {
        for _ in 0..<3 {
            #expect(try installed() == "new")
            try killDuring(action)
        }
        let ending = try run("state", "text")
        #expect(ending.output.contains("failed") && ending.output.contains("3 times in a row"), "\(ending.output)")
        #expect(try installed() == "old")
    }

    @Test("A run that succeeds in between begins the count again")
    func success() throws {
        for _ in 0..<3 {
            for _ in 0..<2 { try killDuring("run-and-hang") }
            try run("run", "1")
        }
        #expect(try installed() == "new")
    }

    @Test("A program that is asked to end, or ends itself, in a run is no death")
    func orderlyEnds() throws {
        for _ in 0..<4 {
            try killDuring("run-and-hang", signal: SIGTERM)
            #expect(try run("run-and-exit").exitCode == 0)
        }
        #expect(try installed() == "new")
    }

    @Test("Two processes share the store: their marks do not mix, and a result of one counts for the other")
    func twoProcesses() throws {
        let other = try start(["run-and-hang"])
        _ = try other.readOutput(until: "running", seconds: 120)
        for _ in 0..<2 { try killDuring("run-and-hang") }
        #expect(try installed() == "new", "the living process is no death")
        other.send(SIGKILL)
        _ = try other.waitForExit(seconds: 120)
        #expect(try installed() == "old")

        try run("install", "newer")
        for _ in 0..<2 { try killDuring("run-and-hang") }
        let working = try start(["run", "1", "run-and-hang"])
        _ = try working.readOutput(until: "running", seconds: 120)
        for _ in 0..<2 { try killDuring("run-and-hang") }
        #expect(try installed() == "newer")
    }

    @Test(
        "The handler that was there before gets the signal",
        arguments: [
            ("simple", Int32(21)), ("full", Int32(22)),
        ])
    func earlierHandlers(_ kind: String, _ exitCode: Int32) throws {
        for signal in [SIGSEGV, SIGABRT, SIGFPE] {
            let ending = try run("handler", kind, "\(signal)", "run-and-crash", "\(signal)")
            #expect(ending.exitCode == exitCode && ending.output.contains("\(kind) handler"), "\(ending)")
        }
        #expect(try installed() == "old", "the crashes count")
    }

    @Test("A signal that the program ignores stays ignored")
    func ignored() throws {
        let ending = try run("handler", "ignore", "\(SIGFPE)", "run-and-crash", "\(SIGFPE)")
        #expect(ending.exitCode == 9, "raise returned")
    }

    @Test("After the trial, runs leave the store as it is")
    func nothingIsWritten() throws {
        try run("run", "100")
        let before = try installed()
        let working = try start(["run", "1", "text", "run", "10000", "run-and-hang"])
        _ = try working.readOutput(until: before, seconds: 120)
        let first = try trials()
        _ = try working.readOutput(until: "running", seconds: 120)
        #expect(try trials() == first)
        #expect(first.count == 3, "the records of both versions, and the mark of the program that runs")
    }

    /// The bytes of the guard's files, except its lock.
    private func trials() throws -> [String: Data] {
        let folders = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        var found: [String: Data] = [:]
        for app in folders {
            let trials = app.appendingPathComponent("trials")
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: trials.path) else { continue }
            for name in names where name != ".lock" {
                found[name] = try Data(contentsOf: trials.appendingPathComponent(name))
            }
        }
        return found
    }

    @Test("The server hears of crashes and of the rejection, if the app allows it")
    func told() throws {
        try run("run-and-crash", "\(SIGSEGV)")
        let first = try run("report", "text", "send", "health")
        #expect(first.output.contains("[\"SIGSEGV\": 1] rejected 0"), "\(first.output)")
        try run("run-and-crash", "\(SIGABRT)")
        let second = try run("text", "send", "health")
        #expect(second.output.contains("[\"SIGABRT\": 1] rejected 1"), "\(second.output)")
    }
}
