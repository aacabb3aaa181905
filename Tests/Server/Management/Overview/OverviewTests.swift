import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("The overview of a project") struct OverviewTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func overview() throws -> OverviewBodies.Overview {
        let answer = try service.hearthAdmin(.get, "overview")
        try #require(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(OverviewBodies.Overview.self, from: answer.text.utf8)
    }

    private func post(_ path: String, _ json: String = "") throws {
        let answer = try service.hearthAdmin(.post, path, json)
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// A published model with a second version.
    private func makeModel(_ name: String = "flowers") throws -> String {
        let id = try service.makeModel(name, FakeProbe.ok("\(name) one"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("\(name) two"))
        return id
    }

    @Test("A new project has nothing, and says so")
    func empty() throws {
        let found = try overview()
        #expect(found.project == "project-a" && found.time == "2027-01-15T08:00:00.000123Z")
        #expect(
            found.counts
                == OverviewBodies.Counts(
                    models: 0, publishedModels: 0, rollouts: 0, runningExperiments: 0, installations: 0,
                    pendingValidations: 0))
        #expect(found.rollouts == [] && found.stopped == [] && found.experiments == [])
        #expect(found.failedVersions == [] && found.pending == [])
    }

    @Test("It counts what the project has, and nothing of others")
    func counts() throws {
        _ = try makeModel()
        try service.makeModel("hidden", FakeProbe.ok("hidden"))
        try service.makeModel("elsewhere", FakeProbe.ok("elsewhere"), isPublished: true, as: service.b)
        try service.makeExperiment(TestService.twoVariantExperiment())
        try service.services.metadata.write { store in
            for fid in ["f1", "f2"] {
                try store.insert(Installation(projectID: "project-a", fid: fid, appID: "a", createdMicroseconds: 0))
            }
        }
        #expect(
            try overview().counts
                == OverviewBodies.Counts(
                    models: 2, publishedModels: 1, rollouts: 0, runningExperiments: 1, installations: 2,
                    pendingValidations: 0))
    }

    @Test("A release to all devices is no rollout; partial, scheduled, planned and paused ones are")
    func rollouts() throws {
        let (flowers, digits, cats) = (try makeModel("flowers"), try makeModel("digits"), try makeModel("cats"))
        #expect(try overview().rollouts == [])
        let stages = #"[{"time":"2027-01-16T08:00:00Z","share":0.5},{"time":"2027-01-17T08:00:00Z","share":1}]"#
        try post(
            "models/\(flowers)/releases", #"{"version":2,"share":0.1,"stages":\#(stages),"audience":{"tags":["beta"]}}"#
        )
        service.time.advance(seconds: 1)
        try post("models/\(digits)/releases", #"{"version":2,"guarding":{"plan":[0.25,1]}}"#)
        service.time.advance(seconds: 1)
        try post(
            "models/\(cats)/releases",
            #"{"version":2,"share":0.2,"guarding":{"off":["returned-without","load-failures","crashes","failed-runs","run-time"]}}"#
        )
        try post("models/\(cats)/releases/2:pause")
        let found = try overview()
        #expect(found.counts.rollouts == 3)
        #expect(found.rollouts.map(\.displayName) == ["cats", "digits", "flowers"])
        #expect(found.rollouts.map(\.state) == ["paused", "active", "active"])
        #expect(found.rollouts.map(\.share) == [0.2, 0.25, 0.1])
        #expect(found.rollouts.map(\.hasAudience) == [false, false, true])
        #expect(found.rollouts.map(\.plan) == [nil, [0.25, 1], nil])
        #expect(found.rollouts.map(\.nextShare) == [nil, 1, 0.5])
        #expect(found.rollouts.map(\.nextTime) == [nil, nil, "2027-01-16T08:00:00.000000Z"])
        #expect(found.rollouts.first.map { [$0.model, "\($0.release)", "\($0.version)"] } == [cats, "2", "2"])
        #expect(found.rollouts.first?.guardState == "off")
        #expect(found.rollouts[1].guardState == "waiting")
        // At its last stage it reaches all devices of its audience.
        service.time.advance(seconds: 2 * 86_400)
        #expect(try overview().rollouts.map(\.displayName) == ["cats", "digits"])
    }

    @Test("What the guards say is what the last check saw")
    func guards() throws {
        let id = try makeModel()
        try post("models/\(id)/releases", #"{"version":2,"share":0.5}"#)
        #expect(try overview().rollouts.first?.guardText == "not looked at yet")
        #expect(try service.handler.checkRollouts() == [])
        let first = try #require(try overview().rollouts.first)
        #expect(first.guardState == "undecided")
        #expect(
            first.guardText == "came back without their version: 0 of 0 devices with version 2, 0 of 0 on the baseline")
        try post("models/\(id)/releases/2:pause")
        #expect(try overview().rollouts.first?.guardState == "waiting")
    }

    @Test("Releases that somebody ended are listed for 7 days with the reason; replaced ones are not")
    func stopped() throws {
        let (flowers, digits) = (try makeModel("flowers"), try makeModel("digits"))
        try post("models/\(flowers)/releases", #"{"version":2,"share":0.5}"#)
        try post("models/\(flowers)/releases/2:end")
        service.time.advance(seconds: 60)
        try post("models/\(digits)/releases", #"{"version":2}"#)
        #expect(try overview().stopped.map(\.displayName) == ["flowers"], "a newer release replaced that of digits")
        service.time.advance(seconds: 60)
        try post("models/\(digits):rollback", #"{"version":1}"#)
        let found = try overview().stopped
        #expect(found.map(\.displayName) == ["digits", "flowers"])
        #expect(found.map(\.endTime) == ["2027-01-15T08:02:00.000123Z", "2027-01-15T08:00:00.000123Z"])
        let actor = service.a.account.email
        #expect(found.map(\.reason) == ["rolled back by \(actor)", "ended by \(actor)"])
        #expect(found.allSatisfy { $0.guardName == nil && $0.version == 2 && $0.release == 2 })
        service.time.advance(seconds: 7 * 86_400 - 60)
        #expect(try overview().stopped.map(\.displayName) == ["digits"])
    }

    @Test("A rollback ends the release of the version that it leads to as well, which nobody stopped")
    func restored() throws {
        let id = try makeModel()
        try post("models/\(id)/releases", #"{"version":2,"share":0.5}"#)
        service.time.advance(seconds: 60)
        try post("models/\(id):rollback", #"{"version":1}"#)
        #expect(try overview().stopped.map(\.release) == [2])
    }

    @Test("A release that a guard ended names the guard and its numbers")
    func stoppedByGuard() throws {
        let id = try makeModel()
        try post("models/\(id)/releases", #"{"version":2,"share":0.5,"guarding":{"onHarm":"rollback"}}"#)
        let now = service.time.now.microseconds
        let number = try #require(Int64(id))
        try service.services.metadata.write { store in
            let rules = ModelLifecycle.Context(actor: "server", nowMicroseconds: now)
            let model = try #require(try store.model(id: number, project: "project-a"))
            try store.save(
                ReleaseLifecycle.stop(
                    store.state(of: model, nowMicroseconds: now), release: 2, because: .crashes,
                    reason: "9 of 9 crashed",
                    context: rules))
        }
        let found = try #require(try overview().stopped.first)
        #expect(found.guardName == "crashes" && found.reason == "9 of 9 crashed")
    }

    @Test("Experiments have the verdict of the last analysis, and the recent ones the one at their end")
    func experiments() throws {
        try service.makeExperiment(
            TestService.twoVariantExperiment("one", more: #","share":0.3,"stopsAtWinner":false"#))
        try service.makeExperiment(TestService.twoVariantExperiment("two", more: #","share":0.3"#))
        try service.makeExperiment(TestService.twoVariantExperiment("draft", more: #","share":0.3"#), start: false)
        let before = try overview()
        #expect(before.experiments.map(\.name) == ["one", "two"] && before.experiments.map(\.verdict) == [nil, nil])
        #expect(before.experiments.first?.summary.hasPrefix("Not analysed yet") == true)
        try service.services.metadata.write { store in
            for number in 0..<4000 {
                let unit = ExperimentUnit(
                    projectID: "project-a", experiment: "one", installation: "\(number)", variant: number % 2,
                    exposedMicroseconds: 1)
                try store.insert(unit)
                if number % 2 == 1 { try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit) }
            }
        }
        #expect(try service.handler.endDecidedExperiments() == [])
        var found = try overview().experiments
        #expect(found.map(\.verdict) == ["winner", "goOn"])
        #expect(found[0].summary == "'new' is better than the control in buy; roll it out.")
        #expect(found[0].analysisTime == "2027-01-15T08:00:00.000123Z")
        service.time.advance(seconds: 60)
        try post("experiments/one:stop")
        found = try overview().experiments
        #expect(found.map(\.name) == ["two", "one"] && found.map(\.state) == ["running", "stopped"])
        #expect(found[1].verdict == "winner" && found[1].analysisTime == nil)
        #expect(found[1].summary == "stopped by \(service.a.account.email)")
        #expect(try overview().counts.runningExperiments == 1)
        // What was seen before is gone with the process.
        service.restart()
        #expect(try overview().experiments.map(\.verdict) == [nil, "winner"])
        service.time.advance(seconds: 7 * 86_400 + 1)
        #expect(try overview().experiments.map(\.name) == ["two"])
    }

    @Test("Versions that cannot be released: malformed ones, and those whose rehearsal shows too little")
    func failedVersions() throws {
        let id = try makeModel()
        service.time.advance(seconds: 60)
        let broken = try service.makeModel("broken", FakeProbe.ok("broken one"), isPublished: true)
        try service.makeVersion(broken, FakeProbe.malformed("broken two"))
        service.waitForCheck(FakeProbe.malformed("broken two"))
        #expect(
            try overview().failedVersions.map { [$0.model, $0.kind, "\($0.version)"] } == [[broken, "validation", "2"]])
        let set = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.rehearsalRequire",
            #"{"hearth":{"rehearsalRequire":"agreement=90%"}}"#)
        #expect(set.status == 200, "\(set.text)")
        var summary = RehearsalBodies.Summary()
        (summary.images, summary.compared, summary.agreeing) = (10, 10, 5)
        summary.baseline = RehearsalBodies.Totals()
        let text = String(decoding: try WireJSON.encode(summary), as: UTF8.self)
        let number = try #require(Int64(id))
        try service.services.metadata.write { store in
            try store.put(
                RehearsalRecord(
                    modelID: number, candidateSHA256: hash(FakeProbe.ok("flowers two")),
                    baselineSHA256: hash(FakeProbe.ok("flowers one")), imageSet: "s", candidateVersion: 2,
                    baselineVersion: 1, summaryJSON: text, imagesJSON: "[]", createdMicroseconds: 1, createdBy: "a"),
                keeping: 9)
        }
        let found = try overview().failedVersions
        #expect(found.map(\.displayName) == ["broken", "flowers"])
        #expect(found.last?.kind == "rehearsal")
        #expect(found.last?.reason.hasPrefix("the same answer on 5 of 10 images") == true)
    }

    @Test("Files that wait for their validation")
    func pending() throws {
        let checker = BlockingChecker()
        defer { checker.open() }
        let service = try TestService(checker: checker)
        #expect(try service.upload(FakeProbe.ok("waits"), name: "waits").status == 200)
        let answer = try service.hearthAdmin(.get, "overview")
        let found = try WireJSON.decode(OverviewBodies.Overview.self, from: answer.text.utf8)
        #expect(found.counts.pendingValidations == 1)
        #expect(found.pending.map(\.modelHash) == [hash(FakeProbe.ok("waits"))])
        #expect(found.pending.first?.model == nil)
    }
}
