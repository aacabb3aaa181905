import Foundation
import Glibc
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// Whatever the probe does, the server gets a verdict.
@Suite struct ModelValidatorTests {
    private func limits(_ change: (inout ProbeLimits) -> Void) -> ProbeLimits {
        var limits = ProbeLimits()
        change(&limits)
        return limits
    }

    @Test func aHangingProbeIsKilled() throws {
        let report = try FakeProbe("exec sleep 1000").report(limits { $0.wallSeconds = 0.2 })
        #expect(report.verdict == .malformed)
        #expect(report.message == "The check of the model took longer than 0.2 seconds.")
    }

    /// One that closes its output and stays.
    @Test func aProbeThatHidesIsKilled() throws {
        let report = try FakeProbe("exec >&-; exec sleep 1000").report(limits { $0.wallSeconds = 0.2 })
        #expect(report.verdict == .malformed)
        #expect(report.message == "The check of the model took longer than 0.2 seconds.")
    }

    @Test func aTimeOutIsTriedOnceMore() throws {
        let folder = try TemporaryFolder()
        let mark = folder.path + "/tried"
        let json = String(decoding: try WireJSON.encode(ProbeReport.sound), as: UTF8.self)
        let standIn = try FakeProbe(
            "if [ -e \(mark) ]; then echo '\(json)'; exit 0; fi; : > \(mark); exec sleep 1000")
        #expect(try standIn.report(limits { ($0.wallSeconds, $0.measuredRuns) = (3, 0) }) == .sound)
        #expect(try FakeProbe("exec sleep 1000").report(limits { $0.wallSeconds = 0.1 }).ranOutOfTime == true)
    }

    @Test func anEndlessTalkerIsKilled() throws {
        let report = try FakeProbe("exec yes").report()
        #expect(report.verdict == .malformed)
        #expect(report.message == "The check of the model printed more than 1048576 bytes.")
    }

    @Test func outputUpToTheLimitIsRead() throws {
        let length = try WireJSON.encode(ProbeReport.sound).count + 1
        #expect(try FakeProbe.printing(.sound).report(limits { $0.outputBytes = length }).verdict == .ok)
        #expect(try FakeProbe.printing(.sound).report(limits { $0.outputBytes = length - 1 }).verdict == .malformed)
    }

    @Test func aCrashIsTheModelsFault() throws {
        let report = try FakeProbe("kill -SEGV $$").report()
        #expect(report.verdict == .malformed)
        #expect(report.message?.contains("crashed the engine (signal 11") == true)
    }

    @Test func anExitCodeIsTheModelsFault() throws {
        let report = try FakeProbe("echo '{\"verdict\": \"ok\"}'; exit 3").report()
        #expect(report == ProbeReport(verdict: .malformed, message: "The check of the model ended with exit code 3."))
    }

    /// 70 is the probe's own code for it, 127 that of the system's loader.
    @Test(arguments: ["exit 70", "exit 127", "kill -KILL $$", "kill -TERM $$", "kill -HUP $$"])
    func whatTheMachineDoesIsNotTheModelsFault(commands: String) throws {
        let standIn = try FakeProbe(commands)
        #expect(throws: ProbeFailure.self) { try standIn.report() }
    }

    @Test func tooMuchProcessorTimeIsTheModelsFault() throws {
        let report = try FakeProbe("kill -XCPU $$").report()
        #expect(report.verdict == .malformed)
        #expect(report.message == "The check of the model took too much processor time.")
    }

    @Test func aProbeThatCannotStartIsNotTheModelsFault() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ProbeFailure.self) {
            try ModelValidator(executable: folder.path + "/none").report(descriptor: 0)
        }
        #expect(error?.message.contains("No such file") == true)
    }

    /// Nothing of the server's comes along, whatever it has open and in its environment.
    @Test func theProbeGetsAnEmptyEnvironmentAndFourDescriptors() throws {
        // Not close-on-exec, so that only the validator's own care keeps them out.
        let strays = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
        defer { strays.forEach { close($0) } }
        // Nothing is added for the test: to change the environment is unsafe while other tests read it.
        #expect(!ProcessInfo.processInfo.environment.isEmpty)
        let report = try FakeProbe(
            """
            # the model
            printf '{"verdict": "malformed", "message": "'
            wc -c < /proc/$$/environ | tr -d '\n'
            find /proc/$$/fd -mindepth 1 -printf ' %f'
            printf ' %s"}' "$(head -n 1 <&3)"
            """
        ).report()
        // 10 and 11 are the shell's own: its script, and the model that it reads.
        #expect(report.message == "0 0 1 2 3 10 11 # the model")
    }

    @Test func moreProbesThanTurnsAllGetOne() async throws {
        let standIn = try FakeProbe.printing(ProbeReport(verdict: .malformed, message: "no"))
        let reports = await withTaskGroup(of: ProbeReport?.self) { group in
            for _ in 0..<8 { group.addTask { try? standIn.report() } }
            return await group.reduce(into: [ProbeReport?]()) { $0.append($1) }
        }
        #expect(reports == Array(repeating: ProbeReport(verdict: .malformed, message: "no"), count: 8))
    }
}
