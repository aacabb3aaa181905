import HearthCalls
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

@Suite("Installations that asked for a model lately") struct RecentDeviceTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
        let released = try service.hearthAdmin(
            .post, "models/\(id)/releases", #"{"version":2,"audience":{"countries":["CH"]}}"#)
        try #require(released.status == 200, "\(released.text)")
    }

    private func ask(_ more: HTTPHeaders) throws {
        var headers: HTTPHeaders = [
            "x-goog-firebase-installations-auth": try service.installationToken(service.a),
            "x-ios-bundle-identifier": service.a.bundleID,
        ]
        for field in more { headers[field.name] = field.value }
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: headers)
        try #require(answer.status < 400, "\(answer.text)")
    }

    private func list(_ query: String = "") throws -> DeviceBodies.RecentList {
        let answer = try service.hearthAdmin(.get, "models/\(id)/recentDevices\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        #expect(!answer.text.contains(TestService.fid), "an id is as good as a password")
        return try WireJSON.decode(DeviceBodies.RecentList.self, from: answer.body)
    }

    @Test("What an installation said in its last call, by its name in logs")
    func facts() throws {
        #expect(try list().devices == nil)
        try ask([
            "x-hearth-country": "CH", "x-hearth-os": "ios", "x-hearth-tags": "qa",
            "If-None-Match": hash(FakeProbe.ok("1")),
        ])
        let found = try list()
        #expect(found.totalSize == 1)
        let device = try #require(found.devices?.first)
        #expect(device.installation == InstallationLogName(id: TestService.fid).description)
        #expect(device.version == 1 && device.os == "ios" && device.country == "CH" && device.tags == ["qa"])
        #expect(device.lastCallTime == "2027-01-15T08:00:00.000123Z")
        // One line for each installation, the last call.
        try ask(["x-hearth-country": "AT"])
        #expect(try list().devices?.map(\.country) == ["AT"])
    }

    @Test("Filters, and what they refuse")
    func filters() throws {
        try ask(["x-hearth-country": "CH", "x-hearth-tags": "qa", "If-None-Match": hash(FakeProbe.ok("1"))])
        for query in ["version=1", "country=ch", "tag=qa", "country=CH&tag=qa", "os=", "pageSize=1"] {
            #expect(try list("?\(query)").totalSize == 1, "\(query)")
        }
        for query in ["version=2", "country=AT", "tag=QA", "language=de", "appVersion=1"] {
            #expect(try list("?\(query)").totalSize == 0, "\(query)")
        }
        for query in ["version=x", "version=0", "pageSize=0", "pageSize=1001"] {
            try service.hearthAdmin(.get, "models/\(id)/recentDevices?\(query)").expectRefusal(400, "INVALID_ARGUMENT")
        }
        try service.hearthAdmin(.get, "models/99/recentDevices").expectRefusal(404, "NOT_FOUND")
    }

    @Test("The name in logs explains what the installation gets, while its call is remembered or a pin has it")
    func explanation() throws {
        let name = InstallationLogName(id: TestService.fid).description
        let path = "models/\(id):explain?installation=\(name)"
        try service.hearthAdmin(.get, path).expectRefusal(404, "NOT_FOUND")
        try ask(["x-hearth-country": "CH"])
        let answer = try service.hearthAdmin(.get, path)
        #expect(answer.status == 200 && answer.string("installation") == name && !answer.text.contains(TestService.fid))
        #expect(try WireJSON.decode(ReleaseBodies.Explanation.self, from: answer.body).version == 2)
        let other = try service.makeModel("trees", FakeProbe.ok("3"), isPublished: true)
        try service.hearthAdmin(.get, "models/\(other):explain?installation=\(name)").expectRefusal(404, "NOT_FOUND")
        try service.services.metadata.write { store in
            try store.insert(
                Installation(projectID: "project-a", fid: TestService.fid, appID: "a", createdMicroseconds: 0))
        }
        let pin = #"{"installation":"\#(TestService.fid)","version":1}"#
        #expect(try service.hearthAdmin(.post, "models/\(other):pin", pin).status == 200)
        #expect(try service.hearthAdmin(.get, "models/\(other):explain?installation=\(name)").status == 200)
    }
}
