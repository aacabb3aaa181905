import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

/// A key that is ignored leaves its field at the default, which often means everybody.
@Suite("Bodies of Hearth's own calls with keys that are none") struct StrictBodyTests {
    struct Call: Sendable, CustomTestStringConvertible {
        var method: HTTPMethod = .post
        var path: String
        var json: String
        var field: String
        var says: String

        var testDescription: String { "\(path) \(json)" }
    }

    private static let releases = "projects/project-a/models/1000001/releases"
    private static let audienceKeys =
        "appVersionFrom, appVersionBelow, operatingSystems, languages, countries, tags, condition"
    private static let releaseKeys =
        "version, share, stages, audience, guarding, allowContractChange, allowCrashing, allowFailedRehearsal"

    private static let calls: [Call] = [
        Call(
            path: releases, json: #"{"audience":{"country":["CH"]}}"#, field: "audience.country",
            says: "There is no 'country' here; did you mean 'countries'? The keys are \(audienceKeys)."),
        Call(
            path: releases, json: #"{"Share":0.01}"#, field: "Share",
            says: "There is no 'Share' here; did you mean 'share'? The keys are \(releaseKeys)."),
        Call(
            path: releases, json: #"{"share":0.01,"os":"linux"}"#, field: "os",
            says: "There is no 'os' here. The keys are \(releaseKeys)."),
        Call(
            path: releases, json: #"{"stages":[{"time":"2028-01-01T00:00:00Z","share":1},{"percent":5}]}"#,
            field: "stages.1.percent", says: "There is no 'percent' here. The keys are time, share."),
        Call(
            method: .patch, path: releases + "/1", json: #"{"audience":{"tag":["a"]},"share":1}"#,
            field: "audience.tag",
            says: "There is no 'tag' here; did you mean 'tags'? The keys are \(audienceKeys)."),
        Call(
            method: .patch, path: releases + "/1", json: #"{"version":1}"#, field: "version",
            says:
                "There is no 'version' here. The keys are share, stages, audience, guarding, allowContractChange, allowCrashing, "
                + "allowFailedRehearsal."),
        Call(
            path: "projects/project-a/models/1000001:rollback", json: #"{"versoin":1}"#, field: "versoin",
            says:
                "There is no 'versoin' here; did you mean 'version'? The keys are version, allowContractChange, allowCrashing, "
                + "allowFailedRehearsal, validateOnly."
        ),
        Call(
            path: "projects/project-a/models/1000001/versions", json: #"{"source":"gs://x/y","publish":false}"#,
            field: "publish", says: "There is no 'publish' here. The keys are source, note."),
        Call(
            path: "projects", json: #"{"project":"abcdef"}"#, field: "project",
            says: "There is no 'project' here; did you mean 'projectId'? The keys are projectId."),
        Call(
            path: "projects/project-a/serviceAccounts", json: #"{"name":"ci","role":"owner","isOperator":false}"#,
            field: "isOperator", says: "There is no 'isOperator' here. The keys are name, role, operator."),
        Call(
            path: "projects/project-a/apiKeys", json: #"{"name":"ci","bundleID":["a.b"]}"#, field: "bundleID",
            says:
                "There is no 'bundleID' here; did you mean 'bundleIds'? The keys are name, platform, appId, bundleIds."),
        Call(
            method: .patch, path: "projects/project-a/apiKeys/x", json: #"{"bundles":["a.b"]}"#, field: "bundles",
            says: "There is no 'bundles' here; did you mean 'bundleIds'? The keys are name, bundleIds."),
        Call(
            path: "projects/project-a/apiKeys/x:rotate", json: #"{"graceHours":1}"#, field: "graceHours",
            says: "There is no 'graceHours' here; did you mean 'graceSeconds'? The keys are graceSeconds."),
        Call(
            path: "projects/project-a/adminTokens", json: #"{"name":"ci","role":"owner","lifetime":60}"#,
            field: "lifetime",
            says:
                "There is no 'lifetime' here; did you mean 'lifetimeSeconds'? The keys are name, role, lifetimeSeconds."
        ),
    ]

    @Test("They are refused by name, with the ones that there are, and nothing is done", arguments: calls)
    func refused(call: Call) throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        #expect(id == "1000001")
        let token = try service.adminToken(.owner, in: nil)
        let before = service.services.metadata.servingRevision
        let answer = try service.hearth(call.method, call.path, call.json, token: token)
        answer.expectRefusal(400, "INVALID_ARGUMENT", call.says)
        let detail = (answer["error.details"] as? [[String: Any]])?.first
        let violation = (detail?["fieldViolations"] as? [[String: Any]])?.first
        #expect(violation?["field"] as? String == call.field)
        #expect(service.services.metadata.servingRevision == before)
    }

    @Test("A key of any length and any letters is named in part, on one line")
    func hostileKeys() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        for key in [String(repeating: "s", count: 100_000), "share\\n\\u202E", "", "share.x", "🔥"] {
            let answer = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"\#(key)":0.5}"#)
            answer.expectRefusal(400, "INVALID_ARGUMENT")
            let message = try #require(answer.string("error.message"))
            #expect(message.utf8.count < 600 && !message.contains("\n") && !message.contains("\u{202E}"))
            #expect(answer.body.count < 2000)
        }
    }

    @Test("Keys may be written with underscores; the management API ignores what it does not know")
    func accepted() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        let made = try service.hearthAdmin(
            .post, "models/\(id)/releases",
            #"{"allow_contract_change":true,"audience":{"operating_systems":["linux"]}}"#)
        #expect(made.status == 200)
        #expect(try service.admin(.patch, "models/\(id)", #"{"bogus":{"x":1},"tags":["t"]}"#).status == 200)
    }
}
