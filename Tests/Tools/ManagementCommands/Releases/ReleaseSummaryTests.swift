import Foundation
import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

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
            ReleaseSummary(release(), now: now).row() == [
                "3", "2", "rollout", "active", "10%", "50% at 2026-12-01 09:00", "all devices", "-", "2026-11-19 08:07",
                "ci@p",
            ])
        #expect(ReleaseSummary(release("paused"), now: now).row()[5] == "paused")
        #expect(ReleaseSummary(release("ended"), now: now).row()[5] == "-")
    }

    private func guarding(
        _ watchedBy: [String]?, stop: ReleaseBodies.GuardStop? = nil
    ) -> ReleaseBodies.GuardingStatus {
        ReleaseBodies.GuardingStatus(
            plan: [0.1, 0.5, 1], holdSeconds: 7200, onHarm: "rollback", watchedBy: watchedBy, reportingShare: 0.1,
            guards: [
                .init(
                    name: "returned-without", state: "undecided", devices: .init(version: 81, below: 900),
                    failed: .init(version: 2, below: 1)),
                .init(name: "run-time", state: "waiting", ratio: 1.3),
            ], stop: stop)
    }

    @Test func aGuardedReleaseSaysByWhatItIsWatchedAndWhatItsPlanIs() {
        var guarded = release()
        guarded.stages = nil
        for (kinds, text) in [
            (["returns"], "by returns only"), (["returns", "reports"], "by returns and reports"),
            ([], "no guard is on"),
        ] {
            guarded.guarding = guarding(kinds)
            #expect(ReleaseSummary(guarded, now: now).row()[7] == text)
        }
        #expect(ReleaseSummary(guarded, now: now).row()[5] == "50% by plan")
        #expect(
            ReleaseSummary(guarded, now: now).sentence
                == "release 3: version 2 to 10% of all devices, by its plan 50%, 100%")
        let lines = ReleaseGuardsCommand.lines(guarded, width: nil).joined(separator: "\n")
        #expect(lines.contains("A guard that finds harm ends it, and devices get the fallback release again."))
        #expect(lines.contains("10 % report; the guards on reports need 20 %."))
        #expect(lines.contains("Each share of its plan lasts at least 2h."))
        let row = lines.split(separator: "\n").first { $0.hasPrefix("returned-without") } ?? ""
        #expect(row.split(separator: " ") == ["returned-without", "undecided", "81", "2", "900", "1", "-"])
        #expect(lines.contains("x 1.30"))
    }

    @Test func aPlanWithoutAStepSaysSo() {
        var planned = release(share: 0.1)
        planned.guarding = guarding(nil)
        #expect(ReleaseSummary.planNotes(planned) == [])
        planned.guarding?.plan = [0.1]
        #expect(ReleaseSummary.planNotes(planned) == ["its plan has no share above the present one"])
    }

    @Test func aReleaseThatIsNotWatchedSaysSo() {
        var unwatched = release()
        unwatched.guarding = guarding([])
        unwatched.guarding?.unwatched = "too-many"
        #expect(ReleaseSummary(unwatched, now: now).row()[7] == "not watched: too many")
        let lines = ReleaseGuardsCommand.lines(unwatched, width: nil).joined(separator: "\n")
        #expect(lines.contains("does not watch it now, because it watches too many other releases. Its plan waits."))
        unwatched.guarding?.unwatched = "nothing-below"
        #expect(ReleaseSummary(unwatched, now: now).row()[7] == "not watched: no baseline")
        let other = ReleaseGuardsCommand.lines(unwatched, width: nil).joined(separator: "\n")
        #expect(other.contains("no older release is under way"))
    }

    @Test func aStoppedReleaseSaysWhy() {
        var stopped = release("paused")
        stopped.guarding = guarding(
            nil, stop: .init(name: "crashes", time: "2026-11-21T11:22:33Z", reason: "crashed: 9 of 80"))
        #expect(ReleaseSummary(stopped, now: now).row()[7] == "stopped by crashes")
        #expect(
            ReleaseSummary(stopped, now: now).stopSentence
                == "Release 3 was paused by the guard 'crashes' at 2026-11-21 11:22 UTC: crashed: 9 of 80.")
    }

    @Test func guardsAreGivenOnTheCommandLine() throws {
        let create = try ReleaseCreateCommand.parse([
            "flowers", "--plan", "1%, 5%,100%", "--hold", "30m", "--on-harm", "rollback", "--without-guard", "run-time",
        ])
        let body = try create.body(version: nil, now: now)
        #expect(body.share == nil)
        #expect(
            body.guarding
                == ReleaseBodies.Guarding(
                    plan: [0.01, 0.05, 1], holdSeconds: 1800, onHarm: "rollback", off: ["run-time"]))
        #expect(
            try ReleaseSetCommand.parse(["flowers", "--plan", "none"]).body(changing: nil, now: now).guarding?.plan
                == [])
        #expect(
            try ReleaseSetCommand.parse(["flowers", "--all-guards"]).body(changing: nil, now: now).guarding?.off == [])
        for wrong in [
            ["--plan", "5%,1%"], ["--plan", ""], ["--plan", "0%,1%"], ["--plan", "1%", "--share", "1%"],
            ["--on-harm", "stop"], ["--without-guard", "crash"], ["--hold", "2"],
            ["--all-guards", "--without-guard", "crashes"],
        ] {
            #expect(throws: (any Error).self, "\(wrong)") { try ReleaseCreateCommand.parse(["flowers"] + wrong) }
        }
    }

    @Test func aSentenceTellsTheWholeSchedule() {
        #expect(
            ReleaseSummary(release(), now: now).sentence
                == "release 3: version 2 to 10% of all devices, 50% from 2026-12-01 09:00 UTC on, "
                + "100% from 2026-12-02 09:00 UTC on")
    }

    @Test func withoutANumberTheRolloutIsMeant() throws {
        func number(_ releases: [ReleaseBodies.Release]) throws -> Int {
            try ReleaseNumber.only(of: releases, name: "digits", for: "set")
        }
        var full = release(share: 1)
        full.release = 1
        #expect(try number([release(), full, release("ended")]) == 3)
        #expect(try number([full]) == 1)
        for releases in [[], [release("ended")], [release(), release("paused"), full]] {
            #expect(throws: (any Error).self) { try number(releases) }
        }
    }

    @Test func whereSeveralAreMeantTheErrorSaysHowTheCommandGoesOn() {
        func error(_ releases: [ReleaseBodies.Release]) -> String {
            do {
                return "\(try ReleaseNumber.only(of: releases, name: "digits", for: "set"))"
            } catch {
                return "\(error)"
            }
        }
        var second = release()
        second.release = 2
        second.version = 1
        #expect(
            error([release(), second])
                == "'digits' has 2 open releases. Give the number of one: `hearth releases set digits 3` for version 2 "
                + "to 10% of all devices, `hearth releases set digits 2` for version 1 to 10% of all devices.")
        let many = error(Array(repeating: release(), count: 16))
        #expect(
            many.contains("has 16 open releases")
                && many.hasSuffix("`hearth releases list digits --open` lists the others.")
        )
        #expect(many.components(separatedBy: "releases set digits").count == 4)
        #expect(error([]) == "'digits' has no open release.")
    }

    @Test func aRollbackTellsWhatItEndedAndHowThatIsBegunAgain() {
        var rollout = release("ended")
        rollout.endTime = "2026-11-21T11:00:00Z"
        rollout.audience = Audience()
        rollout.audience?.operatingSystems = ["ios", "android"]
        rollout.audience?.appVersionFrom = "2.1"
        var full = release("ended", share: 1)
        full.release = 1
        full.version = 1
        var back = release(share: 1)
        back.endedReleases = [rollout, full]
        back.kind = "rollback"
        #expect(
            EndedReleases.text(by: back, of: "digits", now: now) == [
                "Ended release 3: version 2 to 10% of app from 2.1, ios or android. To begin it again: "
                    + "hearth releases create digits --version 2 --share 10% --stage 2026-12-01T09:00:00Z=50% "
                    + "--stage 2026-12-02T09:00:00Z=100% --app-version-from 2.1 --os ios --os android",
                "Ended release 1: version 1 to 100% of all devices.",
            ])
        back.endedReleases?[0].audience = Audience()
        back.endedReleases?[0].audience?.condition = "device.os == 'ios'"
        #expect(
            EndedReleases.text(by: back, of: "digits", now: now)[0].hasSuffix(
                #"--stage 2026-12-02T09:00:00Z=100% --condition 'device.os == '\''ios'\'''"#))
        var guarded = rollout
        guarded.stages = nil
        guarded.audience = nil
        guarded.guarding = guarding(nil)
        guarded.guarding?.holdSeconds = 1800
        guarded.guarding?.guards[1].state = "off"
        back.endedReleases?[0] = guarded
        #expect(
            EndedReleases.text(by: back, of: "digits", now: now)[0].hasSuffix(
                "--version 2 --plan 10%,50%,100% --hold 30m --on-harm rollback --without-guard run-time"))
        back.endedReleases?[0] = rollout
        back.kind = "publish"
        #expect(EndedReleases.text(by: back, of: "digits", now: now)[0].hasSuffix("ios or android."))
        back.endedReleases?[0].pauseTime = "2026-11-21T10:00:00Z"
        #expect(EndedReleases.text(by: back, of: "digits", now: now)[0].hasSuffix("ios or android, paused."))
        #expect(EndedReleases.text(by: full, of: "digits", now: now) == [])
    }

    @Test func aChangeSaysWhatItDidNotMeanToDo() {
        var changed = release(share: 0.2)
        changed.stages = nil
        func consequences() -> [String] { ReleaseSetCommand.consequences(release(), changed, now: now) }
        #expect(consequences() == ["its schedule is removed"])
        changed.state = "paused"
        #expect(consequences() == ["its schedule is removed", "still paused"])
        changed.stages = release().stages
        #expect(consequences() == ["still paused"])
        // A stage whose time came during the pause was not reached.
        var paused = release("paused")
        paused.pauseTime = "2026-11-19T12:00:00Z"
        paused.stages = [.init(time: "2026-11-20T09:00:00Z", share: 1)]
        changed.stages = []
        #expect(
            ReleaseSetCommand.consequences(paused, changed, now: now) == ["its schedule is removed", "still paused"])
    }

    @Test func endingAsksWithWhatDevicesGet() throws {
        var full = release(share: 1)
        full.release = 1
        var rollout = release(share: 0.2)
        rollout.version = 4
        func question(_ releases: [ReleaseBodies.Release]) -> String? {
            ReleaseStopCommand.question(3, of: "digits", in: releases)
        }
        #expect(
            question([rollout, full]) == "Stop release 3 of 'digits'? Its devices get the fallback release: "
                + "version 2 to 100% of all devices.")
        #expect(
            question([rollout])?.contains("There is no fallback release: its devices keep the version that they have")
                == true)
        // The server refuses these, or has nothing to do.
        rollout.share = 1
        #expect(question([rollout, full]) == nil && question([release("ended"), full]) == nil && question([]) == nil)
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
        var named = version(3, "ok")
        named.aliases = ["champion", "stable"]
        named.note = "retrained on\u{1B}[2J May's images"
        let text = VersionTable([named], releases: []).description
        #expect(text.contains("champion, stable") && text.contains("May's images") && !text.contains("\u{1B}"))
        // A terminal is not at the mercy of a server.
        #expect(!table.description.contains("\u{1B}"))
    }
}
