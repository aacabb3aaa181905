import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Guarded releases") struct GuardedReleaseTests {
    private let service: TestService
    private let model: String
    private let one = hash(FakeProbe.ok("one"))
    private let two = hash(FakeProbe.ok("two"))

    init() throws {
        service = try TestService()
        model = try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        try service.makeVersion(model, FakeProbe.ok("two"))
    }

    @discardableResult
    private func create(_ body: String) throws -> TestResponse {
        let answer = try service.hearthAdmin(.post, "models/\(model)/releases", body)
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// The hash of the version that the device is given.
    @discardableResult
    private func ask(
        _ fid: String, having tag: String?, waits: Bool = false, cannot: String? = nil
    ) throws -> String? {
        var headers: HTTPHeaders = ["x-goog-firebase-installations-auth": try service.installationToken(fid)]
        if waits { headers["x-hearth-waits-for"] = "conditions" }
        headers["x-hearth-cannot-install"] = cannot
        headers["If-None-Match"] = tag
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: headers)
        #expect([200, 304].contains(answer.status), "\(answer.text)")
        return answer.headers["ETag"]
    }

    private func report(_ fid: String, _ hash: String, _ counts: String, number: Int = 1) throws {
        let item =
            #"{"sequence":\#(number),"time":"2027-01-15T08:00:00Z","health":{"model":"flowers","modelHash":"\#(hash)",\#(counts)}}"#
        #expect(try service.report([item], as: fid).status == 200)
    }

    /// All devices ask, and have version 1; the ones that are given version 2.
    private func begin(_ fids: [String]) throws -> Set<String> {
        Set(try fids.filter { try ask($0, having: one) == two })
    }

    private func release(_ number: Int = 2) throws -> TestResponse {
        try service.hearthAdmin(.get, "models/\(model)/releases/\(number)")
    }

    private func metrics() throws -> String {
        try service.call(.get, "/metrics", headers: ["Host": "localhost"]).text
    }

    private func guardState(_ name: String) throws -> [String: Any] {
        let guarding = try #require(try release()["guarding"] as? [String: Any])
        let guards = try #require(guarding["guards"] as? [[String: Any]])
        return try #require(guards.first { $0["name"] as? String == name })
    }

    /// Which devices take part.
    private func devices() throws -> [String: Any] {
        let guarding = try #require(try release()["guarding"] as? [String: Any])
        return try #require(guarding["devices"] as? [String: Any])
    }

    private func counts(_ name: String, _ kind: String) throws -> [Int] {
        let counts = try #require(try guardState(name)[kind] as? [String: Int])
        return [counts["version"] ?? -1, counts["below"] ?? -1]
    }

    @Test("Devices that come back without the version end the release, and get the one before")
    func returns() throws {
        try create(#"{"version":2,"share":0.5,"guarding":{"onHarm":"rollback"}}"#)
        let fids = TestService.fids(100)
        let given = try begin(fids)
        #expect(given.count > 20 && given.count < 80)
        service.time.advance(seconds: 700)
        for fid in fids { try ask(fid, having: given.contains(fid) ? two : one) }
        for _ in 0..<2 {
            #expect(try service.handler.checkRollouts() == [])
            service.time.advance(seconds: 700)
            for fid in fids { try ask(fid, having: one) }
        }
        service.time.advance(seconds: 700)
        let lines = try service.handler.checkRollouts()
        let numbers =
            "came back without their version: \(given.count) of \(given.count) devices with version 2, 0 of \(100 - given.count) on the baseline"
        #expect(lines.count == 1 && lines[0].contains("was ended: \(numbers)"), "\(lines)")
        let metrics = try metrics()
        #expect(metrics.contains(#"hearth_rollouts_stopped_total{guard="returned-without"} 1"# + "\n"), "\(metrics)")
        #expect(metrics.contains(#"hearth_rollouts_stopped_total{guard="crashes"} 0"# + "\n"))
        for fid in fids { #expect(try ask(fid, having: one) == one) }
        let ended = try release()
        #expect(ended["state"] as? String == "ended")
        let stop = try #require((ended["guarding"] as? [String: Any])?["stop"] as? [String: Any])
        #expect(stop["name"] as? String == "returned-without")
        let reason = try #require(stop["reason"] as? String)
        #expect(reason.hasPrefix(numbers) && reason.contains("is stopped by this guard with a chance of at most"))
        let entry = try #require(try service.audit().first)
        #expect(entry.actor == "server" && entry.action == "release.end")
        #expect(entry.detail.contains("at 50 %, by the guard 'returned-without': \(numbers)"), "\(entry.detail)")
        #expect(try service.handler.checkRollouts() == [])
    }

    @Test("Devices that wait until they may download the version have not given it up")
    func waiting() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(40)
        let given = try begin(fids)
        for _ in 0..<4 {
            service.time.advance(seconds: 700)
            for fid in given { try ask(fid, having: one, waits: true) }
        }
        #expect(try counts("returned-without", "failed") == [0, 0])
        #expect(try devices()["neverTaken"] as? Int == 0)
        for _ in 0..<2 {
            service.time.advance(seconds: 700)
            for fid in given { try ask(fid, having: one) }
        }
        #expect(try devices()["neverTaken"] as? Int == given.count)
        #expect(try counts("returned-without", "failed") == [0, 0], "nobody had the version")
    }

    @Test("Only devices that first name the baseline take part, and the answer says how many")
    func takingPart() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(100)
        for (index, fid) in fids.enumerated() { try ask(fid, having: [one, nil, "0123456789abcdef0123"][index % 3]) }
        let part = try #require(try devices()["takingPart"] as? [String: Int])
        #expect((part["version"] ?? 0) + (part["below"] ?? 0) == 34)
        #expect(try devices()["namedOther"] as? Int == 66)
        #expect(try devices()["comparedShare"] as? Double == 1)
        // What devices say again in ten minutes is dropped, and counted.
        for fid in fids.prefix(3) { try ask(fid, having: two) }
        for fid in fids.prefix(3) { try ask(fid, having: two) }
        let metrics = try metrics()
        #expect(metrics.contains(#"hearth_rollouts_calls_total{result="kept"} 103"# + "\n"), "\(metrics)")
        #expect(metrics.contains(#"hearth_rollouts_calls_total{result="repeated"} 3"# + "\n"))
        #expect(metrics.contains(#"hearth_rollouts_calls_total{result="dropped"} 0"# + "\n"))
    }

    @Test("A device that says that it rejected the version has failed; one that lacks room for it has not")
    func obstacles() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let given = try begin(TestService.fids(40)).sorted()
        service.time.advance(seconds: 700)
        for fid in given.prefix(3) {
            try ask(fid, having: one, cannot: "rejected=\(one.prefix(16)), rejected=\(two.prefix(16))")
        }
        for fid in given.dropFirst(3).prefix(4) { try ask(fid, having: one, cannot: "storage=\(two.prefix(16))") }
        for fid in given.dropFirst(7) { try ask(fid, having: one, cannot: "rejected=\(one.prefix(16)),,nonsense") }
        #expect(try counts("returned-without", "failed") == [3, 0])
        #expect(try devices()["rejected"] as? Int == 3)
        #expect(try devices()["lackingStorage"] as? Int == 4)
        // How many devices would rule harm out is not what matters where they fail at a glance.
        #expect(try lack("returned-without").contains("to rule harm out"))
        service.time.advance(seconds: 700)
        for fid in given.dropFirst(7).prefix(3) { try ask(fid, having: one, cannot: "rejected=\(two.prefix(16))") }
        #expect(try lack("returned-without").hasPrefix("more of the devices with the version have failed"))
    }

    private func lack(_ name: String) throws -> String { try #require(try guardState(name)["lacks"] as? String) }

    @Test("Guards that are set on a release under way compare only devices that were not offered it before")
    func guardsSetLater() throws {
        let off = #"["returned-without","load-failures","crashes","failed-runs","run-time"]"#
        try create(#"{"version":2,"share":0.5,"guarding":{"off":\#(off)}}"#)
        let fids = TestService.fids(100)
        let given = try begin(fids)
        service.time.advance(seconds: 700)
        #expect(
            try service.hearthAdmin(.patch, "models/\(model)/releases/2", #"{"guarding":{"off":[]}}"#).status == 200)
        for fid in fids { try ask(fid, having: one) }
        #expect(try devices()["comparedShare"] as? Double == 0.5)
        #expect(try devices()["takingPart"] as? [String: Int] == ["version": 0, "below": 100 - given.count])
        let guarded = try guardState("returned-without")
        #expect((guarded["lacks"] as? String)?.contains("a larger share brings some") == true)
    }

    @Test("A sound version reaches all devices by its plan")
    func plan() throws {
        try create(#"{"version":2,"guarding":{"plan":[0.5,1],"holdSeconds":60}}"#)
        let fids = TestService.fids(1300)
        var having = Dictionary(uniqueKeysWithValues: fids.map { ($0, one) })
        for round in 0..<2 {
            for fid in fids { having[fid] = try ask(fid, having: having[fid]) }
            // The devices have the version only since their second question.
            #expect(try service.handler.checkRollouts() == [], "round \(round)")
            service.time.advance(seconds: 700)
        }
        #expect(try guardState("returned-without")["state"] as? String == "satisfied")
        let lines = try service.handler.checkRollouts()
        #expect(lines.count == 1 && lines[0].contains("goes on by its plan"), "\(lines)")
        #expect(try service.audit().first?.detail.contains("by its plan 50 % -> 100 %") == true)
        for fid in fids.prefix(100) { #expect(try ask(fid, having: two) == two) }
        #expect(try release(1)["state"] as? String == "ended")
    }

    @Test("Without enough devices a plan waits")
    func fewDevices() throws {
        try create(#"{"version":2,"guarding":{"plan":[0.5,1],"holdSeconds":60}}"#)
        let fids = TestService.fids(50)
        let given = try begin(fids)
        service.time.advance(seconds: 7000)
        for fid in given { try ask(fid, having: two) }
        service.time.advance(seconds: 7000)
        #expect(try service.handler.checkRollouts() == [])
        #expect(try release()["share"] as? Double == 0.5)
        // After a day the share has shown all that it can, and grows a little.
        service.time.advance(seconds: 86_400)
        #expect(try service.handler.checkRollouts().count == 1)
        #expect(try release()["share"] as? Double == 0.7)
    }

    @Test("Crashes pause the release where enough devices report")
    func crashes() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(100)
        let given = try begin(fids)
        for fid in given { try report(fid, two, #""crashes":{"SIGSEGV":1}"#) }
        #expect(try service.handler.checkRollouts() == [])
        #expect(try guardState("crashes")["state"] as? String == "waiting")
        let guarding = try #require(try release()["guarding"] as? [String: Any])
        #expect(guarding["watchedBy"] as? [String] == ["returns"])
        // A report counts once, however often it arrives, and one about another version does not count.
        for fid in given { try report(fid, two, #""crashes":{"SIGSEGV":1}"#) }
        for fid in given { try report(fid, one, #""crashes":{"SIGSEGV":1}"#, number: 2) }
        for fid in fids where !given.contains(fid) { try report(fid, one, #""runs":5"#) }
        service.time.advance(seconds: 700)
        let lines = try service.handler.checkRollouts()
        let numbers =
            "crashed: \(given.count) of \(given.count) devices with version 2, 0 of \(100 - given.count) on the baseline"
        #expect(lines.count == 1 && lines[0].contains("was paused: \(numbers)"), "\(lines)")
        #expect(try release()["state"] as? String == "paused")
        #expect(try guardState("crashes")["state"] as? String == "violated")
        #expect(try counts("crashes", "failed") == [given.count, 0])
        #expect(try service.handler.checkRollouts() == [])
        #expect(try metrics().contains("hearth_rollouts_watched 0\n"))
        // Devices that have it keep it; others do not get it any more.
        let fid = try #require(given.first)
        #expect(try ask(fid, having: two) == two)
        #expect(try ask(fid, having: one) == one)

        let resumed = try service.hearthAdmin(.post, "models/\(model)/releases/2:resume")
        #expect(
            resumed["warnings"] as? [String] == [
                "the guard 'crashes', which stopped this release, is off from now on; the others still watch"
            ])
        #expect(try service.handler.checkRollouts() == [])
        #expect(try guardState("crashes")["state"] as? String == "off")
    }

    @Test(
        "A death without a signal counts only if the version was rejected for it",
        arguments: [(#""crashes":{"died":1}"#, 0), (#""crashes":{"died":1},"rejected":1"#, 1), (#""rejected":1"#, 0)])
    func deaths(counts reported: String, expected: Int) throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(20)
        let given = try begin(fids)
        for fid in fids { try report(fid, given.contains(fid) ? two : one, #""runs":1"#) }
        try report(try #require(given.first), two, reported, number: 2)
        #expect(try counts("crashes", "failed") == [expected, 0])
        #expect(try counts("crashes", "devices") == [given.count, 20 - given.count])
    }

    @Test("Slow runs, failed runs and loads have guards of their own")
    func reports() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(20)
        let given = try begin(fids)
        for fid in fids {
            let isGiven = given.contains(fid)
            let counts =
                isGiven
                ? #""loadFailures":{"bad-file":1},"failedRuns":2,"runTimes":[[88,3]]"#
                : #""loads":1,"runTimes":[[80,3]]"#
            try report(fid, isGiven ? two : one, counts)
        }
        #expect(try counts("load-failures", "failed") == [given.count, 0])
        #expect(try counts("failed-runs", "failed") == [given.count, 0])
        // The times of a device's first report are those of a cold start; those of an hour count when it is over.
        service.time.advance(seconds: 700)
        for fid in fids {
            let isGiven = given.contains(fid)
            try report(fid, isGiven ? two : one, #""runs":3,"runTimes":[[\#(isGiven ? 88 : 80),3]]"#, number: 2)
        }
        #expect(try guardState("run-time")["ratio"] == nil)
        service.time.advance(seconds: 3600)
        try report(try #require(given.first), two, #""runs":1"#, number: 3)
        let ratio = try #require(try guardState("run-time")["ratio"] as? Double)
        #expect(abs(ratio - 2) < 1e-9)
        let failures = try guardState("load-failures")
        let intervals = try #require(failures["rateIntervals"] as? [String: [Double]])
        let (version, below) = (try #require(intervals["version"]), try #require(intervals["below"]))
        #expect(version.count == 2 && version[0] > 0.2 && version[0] < 1 && version[1] == 1)
        #expect(below.count == 2 && below[0] == 0 && below[1] > 0.2 && below[1] < 1)
        let limit = try #require(failures["limit"] as? [String: Double])
        #expect(limit == ["tolerated": 0.001, "harmful": 0.02, "errorRate": 0.001])
        #expect(try guardState("run-time")["ratioInterval"] == nil, "too few devices")
        #expect(try guardState("run-time")["rateIntervals"] == nil)
    }

    @Test("Pinned devices are left out")
    func pins() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(20)
        let given = try begin(fids)
        let pinned = try #require(given.first)
        try service.services.metadata.write { store in
            try store.insert(
                Installation(
                    projectID: "project-a", fid: pinned, appID: service.a.apiKeyRecord.appID, createdMicroseconds: 0))
        }
        let pin = #"{"installation":"\#(pinned)","version":1}"#
        let answer = try service.hearthAdmin(.post, "models/\(model):pin", pin)
        #expect(answer.status == 200, "\(answer.text)")
        for tag in [two, one, one] {
            service.time.advance(seconds: 700)
            for fid in given { try ask(fid, having: tag) }
        }
        #expect(try counts("returned-without", "failed") == [given.count - 1, 0])
        #expect(try devices()["left"] as? Int == 1)
    }

    @Test("Another start of the server continues what was seen")
    func restart() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let given = try begin(TestService.fids(20))
        service.time.advance(seconds: 700)
        for fid in given { try ask(fid, having: two) }
        let seen = try counts("returned-without", "devices")
        #expect(seen[0] == given.count)
        _ = try service.handler.checkRollouts(isLast: true)
        service.restart()
        #expect(try service.handler.beginRollouts() == [])
        #expect(try counts("returned-without", "devices") == seen)
        // One return without it was before the restart, the other one comes after it.
        let device = try #require(given.first)
        for _ in 0..<2 {
            service.time.advance(seconds: 700)
            try ask(device, having: one)
        }
        #expect(try counts("returned-without", "failed") == [1, 0])
        #expect(try counts("returned-without", "devices") == seen)
        // Ended releases leave nothing behind.
        #expect(try service.hearthAdmin(.post, "models/\(model)/releases/2:end").status == 200)
        _ = try service.handler.checkRollouts()
        #expect(try service.services.metadata.read { try $0.rolloutWatches() }.isEmpty)
    }

    @Test("A watch of the version before begins again with the devices that were not offered the release")
    func formerWatch() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let id = try #require(Int64(model))
        try service.services.metadata.write { store in
            try store.put(
                RolloutWatchRecord(
                    modelID: id, release: 2, tests: #"{"rates":[],"periodStart":0}"#, devices: [], outside: []))
        }
        service.restart()
        service.time.advance(seconds: 700)
        let lines = try service.handler.beginRollouts()
        #expect(lines.count == 1 && lines[0].contains("begins again"), "\(lines)")
        let fids = TestService.fids(100)
        let given = try begin(fids)
        #expect(try devices()["comparedShare"] as? Double == 0.5)
        #expect(try devices()["takingPart"] as? [String: Int] == ["version": 0, "below": 100 - given.count])
    }

    @Test("Guards that were off in between begin again, also after a lower share")
    func offInBetween() throws {
        try create(#"{"version":2,"share":0.5}"#)
        let fids = TestService.fids(40)
        _ = try begin(fids)
        let path = "models/\(model)/releases/2"
        let off = #"["returned-without","load-failures","crashes","failed-runs","run-time"]"#
        for body in [#"{"guarding":{"off":\#(off)}}"#, #"{"share":0.2}"#] {
            #expect(try service.hearthAdmin(.patch, path, body).status == 200)
            _ = try service.handler.checkRollouts()
            service.time.advance(seconds: 700)
        }
        #expect(try service.hearthAdmin(.patch, path, #"{"guarding":{"off":[]}}"#).status == 200)
        for fid in fids { try ask(fid, having: one) }
        #expect(try devices()["comparedShare"] as? Double == 0.5, "half of the devices were offered it once")
    }

    @Test("A clock that somebody sets neither hurries a plan nor makes it wait", arguments: [-1, 1])
    func clockThatIsSet(direction: Int64) throws {
        try create(#"{"version":2,"guarding":{"plan":[0.5,1],"holdSeconds":7200}}"#)
        let fids = TestService.fids(1300)
        var having = Dictionary(uniqueKeysWithValues: fids.map { ($0, one) })
        // Tokens of administrators do not outlive such a change of the clock.
        func share() throws -> Int? {
            let id = try #require(Int64(model))
            return try service.services.metadata.read { try $0.release(2, model: id)?.shareMillionths }
        }
        func askAll() throws { for fid in fids { having[fid] = try ask(fid, having: having[fid]) } }
        try askAll()
        #expect(try service.handler.checkRollouts() == [])
        service.time.advance(seconds: 700)
        try askAll()
        service.time.set(aheadBySeconds: direction * 3 * 3600)
        service.time.advance(seconds: 700)
        try askAll()
        // The devices have had the version for 12 minutes, and the share is as old.
        #expect(try service.handler.checkRollouts() == [])
        #expect(try share() == 500_000)
        service.time.advance(seconds: 7200)
        #expect(try service.handler.checkRollouts().count == 1)
        #expect(try share() == Release.fullShare)
    }

    @Test("Without guards a plan goes on by time alone, which begins anew with each share")
    func planWithoutGuards() throws {
        let off = #"["returned-without","load-failures","crashes","failed-runs","run-time"]"#
        try create(#"{"version":2,"guarding":{"plan":[0.1,0.5,1],"holdSeconds":3600,"off":\#(off)}}"#)
        for (seconds, share) in [(0, 0.1), (3600, 0.5), (1800, 0.5), (1800, 1)] as [(Int64, Double)] {
            service.time.advance(seconds: seconds)
            _ = try service.handler.checkRollouts()
            #expect(try release()["share"] as? Double == share)
        }
        #expect(try metrics().contains("hearth_rollouts_watched 0\n"))
    }

    @Test("A release without a plan that got a greater share by hand is not the one that a script makes again")
    func madeAgainWithoutPlan() throws {
        let body = #"{"version":2,"share":0.5}"#
        try create(body)
        #expect(try service.hearthAdmin(.patch, "models/\(model)/releases/2", #"{"share":0.8}"#).status == 200)
        try service.hearthAdmin(.post, "models/\(model)/releases", body).expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("A release that a script makes again after its plan has gone on is the one that exists")
    func madeAgain() throws {
        let body = #"{"version":2,"guarding":{"plan":[0.5,0.8,1],"holdSeconds":60}}"#
        try create(body)
        let given = try begin(TestService.fids(50))
        service.time.advance(seconds: 7000)
        for fid in given { try ask(fid, having: two) }
        service.time.advance(seconds: 90_000)
        #expect(try service.handler.checkRollouts().count == 1)
        let grown = try #require(try release()["share"] as? Double)
        #expect(grown > 0.5)
        let again = try create(body)
        #expect(again["release"] as? Int == 2 && again["unchanged"] as? Bool == true)
        #expect(again["share"] as? Double == grown)
        // A release with another plan is another one.
        let other = #"{"version":2,"guarding":{"plan":[0.5,1],"holdSeconds":60}}"#
        try service.hearthAdmin(.post, "models/\(model)/releases", other).expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("A release without a fallback release says that it is not watched")
    func nothingBelow() throws {
        #expect(try service.publish(model, false).status == 200)
        let made = try create(#"{"version":2,"share":0.5}"#)
        for answer in [made, try release()] {
            let guarding = try #require(answer["guarding"] as? [String: Any])
            #expect(guarding["unwatched"] as? String == "nothing-below")
            #expect(guarding["watchedBy"] as? [String] == [])
        }
        let list = try service.hearthAdmin(.get, "models/\(model)/releases")
        #expect(list.text.contains(#""unwatched":"nothing-below""#), "\(list.text)")
    }

    @Test("A release without a fallback release takes no place from one that can be watched")
    func placeOfNothingBelow() throws {
        let small = try TestService { $0.limits.watchedReleases = 1 }
        let alone = try small.makeModel("alone", FakeProbe.ok("alone"))
        let alonePath = "models/\(alone)/releases"
        #expect(try small.hearthAdmin(.post, alonePath, #"{"version":1,"share":0.5}"#).status == 200)
        let other = try small.makeModel("other", FakeProbe.ok("one"), isPublished: true)
        try small.makeVersion(other, FakeProbe.ok("two"))
        let path = "models/\(other)/releases"
        #expect(try small.hearthAdmin(.post, path, #"{"version":2,"share":0.5}"#).status == 200)
        for name in ["alone", "other"] {
            for fid in TestService.fids(20) {
                let headers: HTTPHeaders = ["x-goog-firebase-installations-auth": try small.installationToken(fid)]
                _ = try small.call(
                    .get, "/v1beta2/projects/project-a/models/\(name):download?key=\(small.a.apiKey)", headers: headers)
            }
        }
        let guarding = try #require(try small.hearthAdmin(.get, path + "/2")["guarding"] as? [String: Any])
        #expect(guarding["unwatched"] == nil && guarding["watchedBy"] as? [String] == ["returns"], "\(guarding)")
    }
}
