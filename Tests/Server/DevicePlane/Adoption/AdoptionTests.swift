import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Which versions devices have") struct AdoptionTests {
    private let service: TestService
    private let model: String

    init() throws {
        service = try TestService()
        model = try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        try service.makeVersion(model, FakeProbe.ok("two"))
    }

    private func ask(
        _ fid: String, _ tag: String? = nil, status: Int = 200, _ more: HTTPHeaders = [:], model: String = "flowers"
    ) throws {
        var headers: HTTPHeaders = ["x-goog-firebase-installations-auth": try service.installationToken(fid)]
        for field in more { headers.add(field.name, field.value) }
        headers["If-None-Match"] = tag
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/\(model):download?key=\(service.a.apiKey)", headers: headers)
        #expect(answer.status == status, "\(answer.text)")
    }

    /// The counts of 1, 7 and 28 days.
    private func lines(_ list: String = "versions") throws -> [String: [Int]] {
        try service.handler.writeAdoption(isLast: true)
        let answer = try service.hearthAdmin(.get, "models/\(model)/devices")
        #expect(answer.status == 200, "\(answer.text)")
        let lines = try #require(answer[list] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let devices = line["devices"] as? [[String: Any]] ?? []
                return (line["name"] as? String ?? "", devices.map { $0["count"] as? Int ?? -1 })
            })
    }

    @Test("What a device named last counts, however it writes it")
    func named() throws {
        let (one, two) = (hash(FakeProbe.ok("one")), hash(FakeProbe.ok("two")))
        let fids = TestService.fids(9)
        try ask(fids[0])
        try ask(fids[1], one, status: 304)
        try ask(fids[2], "\"\(two)\"")
        try ask(fids[3], "W/\"\(two)\", \"x\"")
        try ask(fids[4], String(repeating: "ab", count: 32))
        try ask(fids[5], "nonsense")
        try ask(fids[6], "")
        // Asked for the file, then has it.
        try ask(fids[7])
        try ask(fids[7], one, status: 304)
        try ask(fids[7], one, status: 304)
        #expect(try lines() == ["none": [2, 2, 2], "1": [2, 2, 2], "2": [2, 2, 2], "other": [2, 2, 2]])
        service.time.advance(seconds: 86_400)
        try ask(fids[7], two)
        #expect(try lines() == ["none": [0, 2, 2], "1": [0, 1, 1], "2": [1, 3, 3], "other": [0, 2, 2]])
    }

    @Test("A reader whom an older report is enough gets it at once, and the next reader a new one")
    func olderReports() throws {
        let scheduler = TurnScheduler()
        let service = try TestService { $0.scheduler = scheduler }
        let model = try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        func ask(_ fid: String) throws {
            let answer = try service.call(
                .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
                headers: ["x-goog-firebase-installations-auth": try service.installationToken(fid)])
            #expect(answer.status == 200)
            try service.handler.writeAdoption(isLast: true)
        }
        func count(_ query: String) throws -> Int? {
            let answer = try service.hearthAdmin(.get, "models/\(model)/devices\(query)")
            let today = (answer["devices"] as? [[String: Any]])?.first
            return today?["count"] as? Int
        }
        let fids = TestService.fids(3)
        #expect(try count("?maxAge=3600") == 0)
        try ask(fids[0])
        #expect(try count("?maxAge=3600") == 1, "somebody waits for the first device")
        try ask(fids[1])
        service.time.advance(seconds: 60)
        #expect(try count("?maxAge=3600") == 1)
        #expect(scheduler.count == 0, "young enough")
        service.time.advance(seconds: 1)
        #expect(try [count("?maxAge=3600"), count("?maxAge=3600")] == [1, 1])
        #expect(scheduler.count == 1, "renewed once")
        scheduler.passTime()
        #expect(try count("?maxAge=3600") == 2)
        try ask(fids[2])
        #expect(try count("") == 3, "without it, always a new one")
        #expect(try service.hearthAdmin(.get, "models/\(model)/devices?maxAge=x").status == 400)
    }

    @Test("A device that goes back to a version on the same day counts for that version")
    func goingBack() throws {
        let (one, two) = (hash(FakeProbe.ok("one")), hash(FakeProbe.ok("two")))
        let fids = TestService.fids(20)
        for tag in [one, two, one] {
            for fid in fids { try ask(fid, tag, status: tag == one ? 304 : 200) }
            #expect(try lines() == [tag == one ? "1" : "2": [20, 20, 20]])
        }
    }

    @Test("Devices say their system and app in several ways")
    func facts() throws {
        let fids = TestService.fids(7)
        try ask(fids[0], nil, ["x-hearth-os": "iOS", "x-hearth-app-version": "2.1"])
        try ask(fids[1], nil, ["x-hearth-os": "ios", "x-hearth-app-version": "2.1"])
        try ask(fids[2], nil, ["X-Android-Package": "app.example"])
        try ask(fids[3], nil, ["x-ios-bundle-identifier": "app.example"])
        try ask(fids[4], nil, ["x-hearth-app-version": String(repeating: "9", count: 33)])
        try ask(fids[5], nil, ["x-hearth-app-version": "2.1 <b>"])
        #expect(try lines("systems").mapValues { $0[0] } == ["ios": 3, "android": 1, "unknown": 2])
        #expect(try lines("appVersions").mapValues { $0[0] } == ["2.1": 2, "unknown": 4])
    }

    @Test("Devices that get nothing count, and models without a release have none")
    func nothing() throws {
        let other = try service.makeModel("other", FakeProbe.ok("three"))
        try ask(TestService.fid, status: 404, model: "other")
        try ask(TestService.fid, status: 404, model: "unknown")
        let answer = try service.hearthAdmin(.get, "models/\(other)/devices")
        #expect((answer["versions"] as? [Any])?.isEmpty == true)
        #expect(try service.publish(model, false).status == 200)
        let release = #"{"version":2,"share":0}"#
        #expect(try service.hearthAdmin(.post, "models/\(model)/releases", release).status == 200)
        try ask(TestService.fid, status: 404)
        #expect(try lines() == ["none": [1, 1, 1]])
    }

    @Test("A deleted installation counts no more, also if its question still waits")
    func deleted() throws {
        let fids = TestService.fids(3)
        for fid in fids {
            try service.services.metadata.write { store in
                try store.insert(
                    Installation(
                        projectID: "project-a", fid: fid, appID: service.a.apiKeyRecord.appID, createdMicroseconds: 0))
            }
            try ask(fid)
            if fid == fids[0] { #expect(try lines() == ["none": [1, 1, 1]]) }
        }
        for fid in fids.prefix(2) {
            let installation = Installation(
                projectID: "project-a", fid: fid, appID: service.a.apiKeyRecord.appID, createdMicroseconds: 0)
            let answer = try service.call(
                .delete, "/v1/projects/project-a/installations/\(fid)",
                headers: [
                    "X-Goog-Api-Key": service.a.apiKey,
                    "Authorization": "FIS_v2 " + service.services.installationTokens.refreshToken(of: installation),
                ])
            #expect(answer.status == 200)
        }
        #expect(try lines() == ["none": [1, 1, 1]])
    }

    @Test("Nothing is lost when the database repeats a transaction")
    func repeated() throws {
        let store = service.services.metadata
        let recorder = AdoptionRecorder(RepeatingStore(store), service.services.installationHash)
        let id = try #require(Int64(model))
        for number in 1...3 {
            recorder.see(
                "installation-\(number)", project: "project-a", model: id, named: nil, system: "", appVersion: "",
                day: 20_000)
        }
        try recorder.writeAll(nowMicroseconds: 20_000 * 86_400_000_000)
        #expect(try store.read { try $0.adoptionRows(model: id, after: -1, limit: 9) }.count == 3)
    }

    @Test("Nothing is written for a question that repeats another, and nothing is lost when a write fails")
    func writes() throws {
        let store = service.services.metadata
        let recorder = AdoptionRecorder(store, service.services.installationHash)
        let id = try #require(Int64(model))
        func see(_ number: Int, day: Int64 = 20_000) {
            recorder.see(
                "installation-\(number)", project: "project-a", model: id, named: nil, system: "", appVersion: "",
                day: day)
        }
        for _ in 0..<3 { see(1) }
        try recorder.writeIfDue(nowMicroseconds: 20_000 * 86_400_000_000, monotonicMicroseconds: 0)
        see(2)
        // Not yet due.
        try recorder.writeIfDue(nowMicroseconds: 20_000 * 86_400_000_000, monotonicMicroseconds: 29_000_000)
        #expect(try store.read { try $0.adoptionRows(model: id, after: -1, limit: 9) }.count == 1)
        try recorder.writeIfDue(nowMicroseconds: 20_000 * 86_400_000_000, monotonicMicroseconds: 30_000_000)
        #expect(try store.read { try $0.adoptionRows(model: id, after: -1, limit: 9) }.count == 2)
        for number in 0...AdoptionRecorder.waitingLimit + 9 { see(number, day: 20_001) }
        #expect(recorder.droppedCount == 10)
        // Long before it is due, because so much waits.
        try recorder.writeIfDue(nowMicroseconds: 20_001 * 86_400_000_000, monotonicMicroseconds: 30_000_001)
        #expect(
            try store.read { try $0.adoptionRows(model: id, after: -1, limit: .max) }.count
                == AdoptionRecorder.waitingLimit)
        // Those that were dropped count when they ask again.
        for number in 0..<10 { see(AdoptionRecorder.waitingLimit + number, day: 20_001) }
        try recorder.writeAll(nowMicroseconds: 20_001 * 86_400_000_000)
        #expect(
            try store.read { try $0.adoptionRows(model: id, after: -1, limit: .max) }.count
                == AdoptionRecorder.waitingLimit + 10)
    }

    @Test("The metrics show it")
    func metrics() throws {
        try ask(TestService.fid, hash(FakeProbe.ok("one")), status: 304)
        try service.handler.writeAdoption(isLast: true)
        try service.handler.writeAdoption()
        let text = try service.call(.get, "/metrics", headers: ["Host": "localhost"]).text
        #expect(
            text.contains(#"hearth_model_devices{project="project-a",model="flowers",version="1",days="28"} 1"# + "\n"))
        #expect(text.contains("hearth_model_devices_dropped_total 0\n"))
    }
}
