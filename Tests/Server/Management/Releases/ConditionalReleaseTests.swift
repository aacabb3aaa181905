import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Releases with a condition, over HTTP") struct ConditionalReleaseTests {
    private let service: TestService
    private let id: String

    /// Version 1 for everybody.
    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
    }

    private func version(_ headers: HTTPHeaders = [:], fid: String = TestService.fid) throws -> String? {
        var all = headers
        all["x-goog-firebase-installations-auth"] = try service.installationTokens(fid)
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: all)
        return answer.headers["X-Hearth-Model-Version"]
    }

    private func release(_ condition: String, share: Double = 1) throws -> TestResponse {
        let body = ["share": "\(share)", "audience": #"{"condition":"\#(condition)"}"#]
        return try service.hearthAdmin(
            .post, "models/\(id)/releases", "{\(body.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}")
    }

    @Test("It is kept, shown, and decides who gets the version")
    func decides() throws {
        let text =
            "device.country in ['CH'] && app.version.>=(['2.10']) && device.os == 'linux' && device.language in ['de']"
        let made = try release(text)
        #expect(made.status == 200, "\(made.text)")
        #expect(made.string("audience.condition") == text)
        #expect(made["warnings"] == nil)
        let headers: HTTPHeaders = [
            "x-hearth-country": "CH", "x-hearth-app-version": "2.10.1", "x-hearth-os": "linux",
            "x-hearth-language": "de",
        ]
        #expect(try version(headers) == "2")
        for field in headers {
            var fewer = headers
            fewer[field.name] = nil
            #expect(try version(fewer) == "1", "without \(field.name)")
        }
        #expect(try version() == "1")
        // Of another model's release, the snapshot is made anew.
        try service.makeModel("birds", FakeProbe.ok("birds"), isPublished: true)
        #expect(try version(headers) == "2")
        let list = try service.hearthAdmin(.get, "models/\(id)/releases")
        #expect(list.text.contains("app.version.>=(['2.10'])"))
        #expect(try service.audit().contains { $0.detail.contains(text) })
    }

    @Test("App, installation, tags and time are signals of a question for a model")
    func signals() throws {
        let app = service.a.apiKeyRecord.appID
        let text =
            "app.id == '\(app)' && app.firebaseInstallationId in ['\(TestService.fid)'] && "
            + "hearth.tags.inAll(['kiosk']) && dateTime >= dateTime('2027-01-15T09:00:00')"
        #expect(try release(text).status == 200)
        let headers: HTTPHeaders = ["x-hearth-tags": "kiosk"]
        #expect(try version(headers) == "1")
        service.time.advance(seconds: 3600)
        #expect(try version(headers) == "2")
        #expect(try version() == "1")
        #expect(try version(headers, fid: "cBBBBBBBBBBBBBBBBBBBB1") == "1")
    }

    @Test("A percentage takes the same installations each time, on top of the release's own share")
    func percentages() throws {
        #expect(try release("percent('x') <= 40").status == 200)
        let ids = (0..<300).map { "c\(1_000_000 + $0)abcdefghijklmn" }
        let first = try ids.map { try version(fid: $0) == "2" }
        #expect(try ids.map { try version(fid: $0) == "2" } == first)
        // 120 expected; 4.5 standard deviations are 38.
        #expect(abs(first.count { $0 } - 120) <= 38)
        let narrowed = try service.hearthAdmin(.patch, "models/\(id)/releases/2", #"{"share":0.5}"#)
        #expect(narrowed.status == 200, "\(narrowed.text)")
        let half = try ids.map { try version(fid: $0) == "2" }
        #expect(zip(first, half).allSatisfy { $0 || !$1 }, "a narrower share takes nobody new")
        #expect((1..<first.count { $0 }).contains(half.count { $0 }))
    }

    @Test("What cannot be read is refused with the place, when a release is made and when it is changed")
    func refusals() throws {
        let message =
            "The audience's condition cannot be read. Column 16: Expected 'in', found '=='."
        try release("device.country == 'CH'").expectRefusal(400, "INVALID_ARGUMENT", message)
        for text in ["", " ", "true || false", String(repeating: "a", count: 60_000)] {
            try release(text).expectRefusal(400, "INVALID_ARGUMENT")
        }
        try service.hearthAdmin(.post, "models/\(id)/releases", #"{"audience":{"condition":7}}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try release("true").status == 200)
        try service.hearthAdmin(
            .patch, "models/\(id)/releases/2", #"{"audience":{"condition":"device.country == 'CH'"}}"#
        ).expectRefusal(400, "INVALID_ARGUMENT", message)
        #expect(try version() == "2")
        let changed = try service.hearthAdmin(
            .patch, "models/\(id)/releases/2", #"{"audience":{"condition":"device.country in ['CH']"}}"#)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try version() == "1")
        #expect(try version(["x-hearth-country": "CH"]) == "2")
    }

    @Test("Whoever makes a release for nobody is told")
    func nobody() throws {
        let made = try release("app.userProperty['plan'].contains(['gold']) && app.build.>(['7'])")
        #expect(
            made["warnings"] as? [String] == [
                "no device meets the condition: a device that asks for a model does not send app.userProperty['plan']",
                "no device meets the condition: a device that asks for a model does not send app.build",
            ])
        #expect(try version() == "1")
    }

    @Test("A condition that was damaged in the database takes its release from all, and nothing else")
    func damaged() throws {
        #expect(try release("true").status == 200)
        #expect(try version() == "2")
        try service.services.metadata.write { store in
            let number = try #require(Int64(id))
            var release = try #require(try store.release(2, model: number))
            release.audience.condition = "device.country in ['C"
            try store.update(release)
        }
        #expect(try version() == "1")
        #expect(try service.hearthAdmin(.get, "models/\(id)/releases/2").status == 200)
        // Its share may still be changed, and it may be repaired.
        #expect(try service.hearthAdmin(.patch, "models/\(id)/releases/2", #"{"share":0.5}"#).status == 200)
        let repaired = try service.hearthAdmin(
            .patch, "models/\(id)/releases/2", #"{"share":1,"audience":{"condition":"true"}}"#)
        #expect(repaired.status == 200, "\(repaired.text)")
        #expect(try version() == "2")
    }

    @Test("The same version under another condition is another release; under the same one it is not made twice")
    func twins() throws {
        #expect(try release("device.country in ['CH']", share: 0.1)["release"] as? Int == 2)
        try release("device.country in ['CH']", share: 0.2).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try release("device.country in ['AT']", share: 0.2)["release"] as? Int == 3)
    }
}

extension TestService {
    fileprivate func installationTokens(_ fid: String) throws -> String {
        try services.installationTokens.issue(
            fid: fid, appID: a.apiKeyRecord.appID, projectNumber: a.project.number, nowSeconds: time.now.seconds)
    }
}
