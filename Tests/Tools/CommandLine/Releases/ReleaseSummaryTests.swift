import HearthWire
import Testing

@testable import HearthCommandLine

@Suite struct ReleaseSummaryTests {
    private let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!

    private func release(_ state: String = "active", share: Double = 0.1) -> ReleaseBodies.Release {
        ReleaseBodies.Release(
            release: 3, version: 2, kind: "rollout", state: state, share: share,
            stages: [
                .init(time: "2026-11-20T09:00:00Z", share: 0.1), .init(time: "2026-12-01T09:00:00Z", share: 0.5),
                .init(time: "2026-12-02T09:00:00Z", share: 1),
            ], audience: nil, createTime: "2026-11-19T08:07:06.000000Z", createdBy: "ci@p", pauseTime: nil,
            endTime: nil, warnings: nil)
    }

    @Test func aRowSaysWhatIsAndWhatComesNext() {
        #expect(
            ReleaseSummary(release(), now: now).row == [
                "3", "2", "rollout", "active", "10%", "50% at 2026-12-01 09:00", "everybody", "2026-11-19 08:07",
                "ci@p",
            ])
        #expect(ReleaseSummary(release("paused"), now: now).row[5] == "on hold")
        #expect(ReleaseSummary(release("ended"), now: now).row[5] == "-")
    }

    @Test func aSentenceTellsTheWholeSchedule() {
        #expect(
            ReleaseSummary(release(), now: now).sentence
                == "release 3: version 2 to 10% of everybody, 50% from 2026-12-01 09:00 UTC on, "
                + "100% from 2026-12-02 09:00 UTC on")
    }

    @Test func withoutANumberTheRolloutIsMeant() throws {
        func number(_ releases: [ReleaseBodies.Release]) throws -> Int {
            try ReleaseNumber.only(of: releases, name: "digits")
        }
        var full = release(share: 1)
        full.release = 1
        #expect(try number([release(), full, release("ended")]) == 3)
        #expect(try number([full]) == 1)
        for releases in [[], [release("ended")], [release(), release("paused"), full]] {
            #expect(throws: (any Error).self) { try number(releases) }
        }
    }

    private func version(_ number: Int, _ verdict: String, _ message: String? = nil) -> ReleaseBodies.Version {
        ReleaseBodies.Version(
            version: number, modelHash: String(repeating: "a", count: 64), sizeBytes: "2048", source: "gs://b/o",
            createTime: "2026-11-19T08:07:06Z", createdBy: "ci@p", verdict: verdict, message: message, contract: nil)
    }

    @Test func versionsSayWhoGetsThem() {
        var full = release(share: 1)
        full.version = 1
        let table = VersionTable(
            [version(2, "ok"), version(1, "malformed", "broken\u{1B}[2J file")],
            releases: [release("paused"), full])
        let lines = table.description.split(separator: "\n")
        #expect(lines[1].contains("10% (release 3, paused)") && lines[1].contains("2.0 KiB"))
        #expect(lines[2].contains("to all") && lines[2].contains("malformed"))
        // A terminal is not at the mercy of a server.
        #expect(!table.description.contains("\u{1B}"))
    }
}
