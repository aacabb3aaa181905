import Foundation
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import Synchronization
import Testing

@testable import HearthManagementTestSupport

/// A database elsewhere that goes away and comes back.
@Suite("Devices are answered without the database") struct OutageTests {
    private let service: TestService
    private let store: RemoteStore
    private static let installations = "/v1/projects/project-a/installations"

    init() throws {
        var made: RemoteStore?
        service = try TestService { services in
            let store = RemoteStore(services.metadata, clock: services.clock)
            (made, services.metadata) = (store, store)
        }
        store = try #require(made)
        try service.handler.beginServing()
    }

    private func register() throws -> (fid: String, refreshToken: String) {
        let body = #"{"authVersion":"FIS_v2","appId":"\#(service.a.apiKeyRecord.appID)","sdkVersion":"i:11.0.0"}"#
        let answer = try service.call(
            .post, Self.installations, headers: ["X-Goog-Api-Key": service.a.apiKey], body: Array(body.utf8))
        return (try #require(answer.string("fid"), "\(answer.text)"), try #require(answer.string("refreshToken")))
    }

    private func generate(_ fid: String, _ refreshToken: String) throws -> TestResponse {
        try service.call(
            .post, "\(Self.installations)/\(fid)/authTokens:generate",
            headers: ["X-Goog-Api-Key": service.a.apiKey, "Authorization": "FIS_v2 \(refreshToken)"],
            body: Array("{}".utf8))
    }

    private func expectOutage(_ answer: TestResponse, _ what: String) {
        #expect(answer.status == 503, "\(what): \(answer.text)")
        #expect(answer.string("error.status") == "UNAVAILABLE", "\(what)")
        #expect(answer.headers["Retry-After"].flatMap { Int($0) } ?? 0 > 0, "\(what)")
    }

    /// What a device gets of models, values and experiments.
    private func answers() throws -> [String] {
        let info = try service.info("flowers")
        let values = try service.fetchAsIOS()
        return ["\(info.status)", info.headers["ETag"] ?? "", "\(values.status)", values.text]
    }

    private func publish() throws {
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        try service.putTemplate(#"{"parameters":{"colour":{"defaultValue":{"value":"red"}}}}"#)
        try service.makeExperiment(TestService.twoVariantExperiment())
    }

    @Test("What an administrator changes, devices get at once, as with a database in this process")
    func changes() throws {
        try publish()
        let all = try answers()
        #expect(all[0] == "200" && all[1] == hash(FakeProbe.ok()) && all[3].contains("colour"))
        let id = try #require(try service.admin(.get, "models").text.contains("1000001") ? "1000001" : nil)
        #expect(try service.publish(id, false).status == 200)
        #expect(try service.info("flowers").status == 404)
    }

    @Test("Models, values and experiments are answered for as long as the setting says, and again afterwards")
    func outage() throws {
        try publish()
        let before = try answers()
        store.state = .away
        #expect(try answers() == before)
        service.time.advance(seconds: 23 * 3600)
        #expect(try answers() == before)
        service.time.advance(seconds: 2 * 3600)
        let info = try service.info("flowers")
        expectOutage(info, "a model after 25 hours")
        #expect(info.string("error.message")?.contains("24 hours") == true)
        expectOutage(try service.fetchAsIOS(), "values after 25 hours")
        store.state = .answering
        #expect(try answers() == before)
    }

    @Test("A clock that is set neither ends nor extends the time")
    func setClock() throws {
        try publish()
        let before = try answers()
        store.state = .away
        service.time.set(aheadBySeconds: 40 * 3600)
        #expect(try answers() == before)
        service.time.set(aheadBySeconds: -80 * 3600)
        #expect(try answers() == before)
        service.time.advance(seconds: 25 * 3600)
        expectOutage(try service.info("flowers"), "25 hours later")
    }

    @Test("A change that this server has heard of and cannot read does not make what it has look new")
    func unreadChange() throws {
        try publish()
        store.state = .away
        try store.base.write { store in
            var key = try #require(try store.apiKeys().first { $0.projectID == "project-a" })
            key.name += "!"
            try store.update(key)
        }
        service.time.advance(seconds: 25 * 3600)
        store.state = .frozen
        defer { store.state = .answering }
        expectOutage(try service.info("flowers"), "a model")
    }

    @Test("A frozen database holds up no device")
    func frozen() throws {
        try publish()
        let before = try answers()
        // Another server changes something, so this one wants to read.
        try store.base.write { store in
            let model = try #require(try store.model(displayName: "flowers", project: "project-a"))
            for var release in try store.releases(model: model.id) {
                release.endedMicroseconds = 1
                try store.update(release)
            }
        }
        store.state = .frozen
        let finished = Mutex<[String]?>(nil)
        Thread.detachNewThread { [self] in
            let found = try? answers()
            finished.withLock { $0 = found ?? ["failed"] }
        }
        let deadline = Date(timeIntervalSinceNow: 60)
        while finished.withLock({ $0 }) == nil, Date() < deadline { usleep(1000) }
        #expect(finished.withLock { $0 } == before)
        store.state = .answering
        let later = Date(timeIntervalSinceNow: 60)
        while try service.info("flowers").status != 404, Date() < later { usleep(1000) }
        #expect(try service.info("flowers").status == 404, "the change arrives")
    }

    @Test("What another server put is read before devices get it")
    func otherServersTemplate() throws {
        try publish()
        let number = try store.base.write { store in
            var template = try #require(
                try store.template(project: "project-a", namespace: "firebase", number: nil))
            template.number += 1
            try store.insert(template)
            return template.number
        }
        let expected = #""templateVersion":"\#(number)""#
        let deadline = Date(timeIntervalSinceNow: 60)
        while try !service.fetchAsIOS().text.contains(expected), Date() < deadline { usleep(1000) }
        store.state = .away
        #expect(try service.fetchAsIOS().text.contains(expected))
    }

    @Test("Device calls that need the database and all admin calls are refused with the time to wait")
    func refusals() throws {
        try publish()
        let device = try register()
        let bearer = try service.bearer()
        store.state = .away
        let body = #"{"authVersion":"FIS_v2","appId":"\#(service.a.apiKeyRecord.appID)","sdkVersion":"i:11.0.0"}"#
        expectOutage(
            try service.call(
                .post, Self.installations, headers: ["X-Goog-Api-Key": service.a.apiKey], body: Array(body.utf8)),
            "registration")
        expectOutage(
            try service.call(
                .delete, "\(Self.installations)/\(device.fid)",
                headers: ["X-Goog-Api-Key": service.a.apiKey, "Authorization": "FIS_v2 \(device.refreshToken)"]),
            "deletion")
        expectOutage(try service.report([TestService.event(1, "buy")]), "events")
        expectOutage(try service.admin(.get, "models"), "list")
        expectOutage(try service.admin(.get, "models/1000001"), "get")
        expectOutage(try service.publish("1000001"), "publish")
        expectOutage(try service.upload(FakeProbe.ok("new")), "upload")
        expectOutage(try service.config(.get, "namespaces/firebase/remoteConfig"), "template")
        expectOutage(try service.call(.get, "/hearth/v1/server", headers: bearer), "server")
        store.state = .answering
        #expect(try service.report([TestService.event(1, "buy")]).status == 200)
        #expect(try service.admin(.get, "models").status == 200)
    }

    @Test("A device renews its token while the database is away, and the token is good")
    func renewal() throws {
        try publish()
        let device = try register()
        store.state = .away
        let renewed = try generate(device.fid, device.refreshToken)
        #expect(renewed.status == 200, "\(renewed.text)")
        let info = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
            headers: [
                "x-goog-firebase-installations-auth": try #require(renewed.string("token")),
                "x-ios-bundle-identifier": service.a.bundleID,
            ])
        #expect(info.status == 200)
        expectOutage(try generate(device.fid, device.refreshToken + "A"), "an altered token")
        expectOutage(try generate("cAAAAAAAAAAAAAAAAAAAA9", device.refreshToken), "another installation's token")
        service.time.advance(seconds: 25 * 3600)
        expectOutage(try generate(device.fid, device.refreshToken), "after 25 hours")
    }

    @Test("A deleted installation renews nothing once the database answers")
    func deletedInstallation() throws {
        let device = try register()
        try store.base.write { store in
            try store.delete(try #require(try store.installation(fid: device.fid, project: "project-a")))
        }
        #expect(try generate(device.fid, device.refreshToken).status == 401)
    }

    @Test("Load balancers keep the server while devices can be answered, and learn what is away")
    func readiness() throws {
        #expect(try service.call(.get, "/readyz").text == "ok\n")
        store.state = .away
        service.time.advance(seconds: 90)
        let away = try service.call(.get, "/readyz")
        #expect(away.status == 200)
        #expect(
            away.text
                == "ok\nnote: the database does not answer; devices get what was valid 90 s ago, for at most 24 hours\n"
        )
        service.time.advance(seconds: 24 * 3600)
        let tooOld = try service.call(.get, "/readyz")
        #expect(tooOld.status == 503)
        #expect(tooOld.text.hasPrefix("not ready: the database has not answered for 86490 s"))
        store.state = .answering
        #expect(try service.call(.get, "/readyz").text == "ok\n")
    }

    @Test("The operator learns once that the database is away, and once that it is back")
    func messages() throws {
        #expect(try service.handler.refreshServing() == [])
        store.state = .away
        guard case .failure(let text) = try service.handler.refreshServing().first else {
            Issue.record("It is no failure that the database is away")
            return
        }
        #expect(text.hasPrefix("The database does not answer."))
        #expect(try service.handler.refreshServing() == [])
        store.state = .answering
        #expect(try service.handler.refreshServing() == [.recovery("The database answers again.")])
    }
}
