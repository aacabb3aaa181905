import HearthAdminTestSupport
import HearthCalls
import HearthTransport
import HearthWire
import Testing

@testable import HearthAdmin

/// The requests of the client's methods to the byte: method, path, body, and how often one is made while the server is away.
///
/// The project's id and other values hold characters that a path escapes. The model's name goes into it as it is.
@Suite("Requests of the administration client") struct RequestTests {
    private typealias Method = (AdminClient) throws -> Void

    private let project = "projects/p%2F%C3%B6"
    private let account = "projects/p%2F%C3%B6/serviceAccounts/a%2F%C3%B6%40p%2F%C3%B6.iam.hearth.invalid"
    private let model = "projects/p%2F1/models/7"
    private let definition = ExperimentBodies.Definition(
        name: "e", variants: [], goal: .init(event: "v", kind: "share"))
    private let definitionJSON = #"{"goal":{"event":"v","kind":"share"},"name":"e","variants":[]}"#

    /// One line for each method.
    private func requests(_ methods: [Method]) -> String {
        methods.map { method in
            let server = StubServer { _ in StubServer.refusal(503) }
            #expect(throws: AdminError.self) { try method(server.client(project: "p/ö").client) }
            let call = server.calls[0]
            let media = call.headers["content-type"] == "application/json" ? "" : "bytes"
            let parts = ["\(server.calls.count)", call.text, media, String(decoding: call.body, as: UTF8.self)]
            return parts.filter { !$0.isEmpty }.joined(separator: " ")
        }
        .joined(separator: "\n")
    }

    @Test("Models and their versions") func models() {
        let lines = requests([
            { _ = try $0.findModel("a b") }, { _ = try $0.model(model) },
            { _ = try $0.models() }, { _ = try $0.models(filter: "tags: a", limit: 5) },
            { _ = try $0.createModel(ModelResource()) },
            { _ = try $0.updateModel(model, ModelResource(), mask: "tags,state.published") },
            { try $0.deleteModel(model) },
            { _ = try $0.versions(of: model) }, { _ = try $0.version(3, of: model) },
            { _ = try $0.version(alias: "a/ö", of: model) },
            { _ = try $0.createVersion(of: model, source: "gs://b/o", note: "n") },
            { _ = try $0.setNote(nil, ofVersion: 3, of: model) },
            { _ = try $0.tryVersion(3, on: [0x61], of: model, threshold: 0.25) },
            { _ = try $0.tryVersion(3, on: [0x61], of: model) },
            {
                var processing = ImageProcessingBody()
                (processing.mean, processing.standardDeviation, processing.layout) = ([0], [255], "yolov8")
                _ = try $0.tryVersion(3, on: [0x61], of: model, processing: processing)
            },
            { _ = try $0.compareVersion(3, with: 2, of: model) },
            { _ = try $0.aliases(of: model) }, { _ = try $0.setAlias("a/ö", to: 3, of: model) },
            { _ = try $0.removeAlias("a/ö", of: model) }, { _ = try $0.devices(of: model) },
            { _ = try $0.health(of: model, version: 3, hours: 24) },
            { _ = try $0.health(of: model, version: nil, hours: 24) },
        ])
        #expect(
            lines == """
                5 GET /v1beta2/\(project)/models?filter=displayName%3Da%20b
                5 GET /v1beta2/\(model)
                5 GET /v1beta2/\(project)/models
                5 GET /v1beta2/\(project)/models?filter=tags%3A%20a&pageSize=5
                1 POST /v1beta2/\(project)/models {}
                1 PATCH /v1beta2/\(model)?updateMask=tags%2Cstate.published {}
                1 DELETE /v1beta2/\(model)
                5 GET /hearth/v1/\(model)/versions
                5 GET /hearth/v1/\(model)/versions/3
                5 GET /hearth/v1/\(model)/versions/a%2F%C3%B6
                1 POST /hearth/v1/\(model)/versions {"note":"n","source":"gs://b/o"}
                1 PATCH /hearth/v1/\(model)/versions/3 {"note":""}
                5 POST /hearth/v1/\(model)/versions/3:try?threshold=0.25 bytes a
                5 POST /hearth/v1/\(model)/versions/3:try bytes a
                5 POST /hearth/v1/\(model)/versions/3:try?processing=%7B%22layout%22%3A%22yolov8%22%2C%22mean%22%3A%5B0%5D%2C%22standardDeviation%22%3A%5B255%5D%7D bytes a
                5 GET /hearth/v1/\(model)/versions/3:compare?with=2
                5 GET /hearth/v1/\(model)/aliases
                1 PUT /hearth/v1/\(model)/aliases/a%2F%C3%B6 {"version":3}
                1 DELETE /hearth/v1/\(model)/aliases/a%2F%C3%B6
                5 GET /hearth/v1/\(model)/devices
                5 GET /hearth/v1/\(model)/health?version=3&hours=24
                5 GET /hearth/v1/\(model)/health?hours=24
                """)
    }

    @Test("Releases, pins and rehearsals") func releases() {
        var details = DeviceDetails()
        (details.appVersion, details.tags) = ("1.0", ["a", "b c"])
        let lines = requests([
            { _ = try $0.releases(of: model) }, { _ = try $0.release(2, of: model) },
            { _ = try $0.createRelease(of: model, .init(version: 3)) },
            { _ = try $0.updateRelease(2, of: model, .init(share: 0.5)) },
            { _ = try $0.changeRelease(2, of: model, .pause) },
            { _ = try $0.changeRelease(2, of: model, .resume) },
            { _ = try $0.changeRelease(2, of: model, .stop) },
            { _ = try $0.rollBack(model, .init()) },
            { [details] in _ = try $0.explain(model, for: "f/1", details) },
            { _ = try $0.pins(of: model) }, { _ = try $0.pin(.installation("f"), to: 3, of: model) },
            { _ = try $0.unpin(.installation("f"), from: model) }, { _ = try $0.pins(ofExperiment: "e/ö") },
            { _ = try $0.pin(.tag("t"), toVariant: "b", ofExperiment: "e/ö") },
            { _ = try $0.unpin(.tag("t"), fromExperiment: "e/ö") },
            { _ = try $0.images(of: model) },
            { _ = try $0.putImage("a/ö.png", label: "b c", bytes: [0x61], of: model) },
            { _ = try $0.putImage("a/ö.png", label: nil, bytes: [0x61], of: model) },
            { _ = try $0.imageBytes("a/ö.png", of: model) }, { try $0.deleteImage("a/ö.png", of: model) },
            { _ = try $0.rehearsals(of: model) }, { _ = try $0.rehearse(model, .init(version: 3)) },
        ])
        #expect(
            lines == """
                5 GET /hearth/v1/\(model)/releases
                5 GET /hearth/v1/\(model)/releases/2
                1 POST /hearth/v1/\(model)/releases {"version":3}
                1 PATCH /hearth/v1/\(model)/releases/2 {"share":0.5}
                1 POST /hearth/v1/\(model)/releases/2:pause
                1 POST /hearth/v1/\(model)/releases/2:resume
                1 POST /hearth/v1/\(model)/releases/2:end
                1 POST /hearth/v1/\(model):rollback {}
                5 GET /hearth/v1/\(model):explain?installation=f%2F1&appVersion=1.0&tag=a&tag=b%20c
                5 GET /hearth/v1/\(model)/pins
                1 POST /hearth/v1/\(model):pin {"installation":"f","version":3}
                1 POST /hearth/v1/\(model):unpin {"installation":"f"}
                5 GET /hearth/v1/\(project)/experiments/e%2F%C3%B6/pins
                1 POST /hearth/v1/\(project)/experiments/e%2F%C3%B6:pin {"tag":"t","variant":"b"}
                1 POST /hearth/v1/\(project)/experiments/e%2F%C3%B6:unpin {"tag":"t"}
                5 GET /hearth/v1/\(model)/images
                5 PUT /hearth/v1/\(model)/images/a%2F%C3%B6.png?label=b%20c bytes a
                5 PUT /hearth/v1/\(model)/images/a%2F%C3%B6.png bytes a
                5 GET /hearth/v1/\(model)/images/a%2F%C3%B6.png
                1 DELETE /hearth/v1/\(model)/images/a%2F%C3%B6.png
                5 GET /hearth/v1/\(model)/rehearsals
                1 POST /hearth/v1/\(model)/rehearsals {"version":3}
                """)
    }

    @Test("Experiments and Remote Config") func experiments() {
        let lines = requests([
            { _ = try $0.experiments() }, { _ = try $0.experiment("e/ö") },
            { _ = try $0.createExperiment(definition) }, { _ = try $0.replaceExperiment("e/ö", definition) },
            { _ = try $0.createExperiment(json: Array("{1}".utf8)) },
            { _ = try $0.replaceExperiment("e/ö", json: Array("{1}".utf8)) },
            { _ = try $0.startExperiment("e/ö", allowCrashing: true) },
            { _ = try $0.stopExperiment("e/ö", winner: "b") },
            { _ = try $0.rollOutExperiment("e/ö", variant: "b") }, { try $0.deleteExperiment("e/ö") },
            { _ = try $0.experimentResults("e/ö") }, { _ = try $0.experimentHistory("e/ö") },
            { try $0.experimentData("e/ö") { _ in } }, { _ = try $0.eventSummary() },
            { _ = try $0.template(.client) }, { _ = try $0.template(.server, version: 3) },
            { _ = try $0.putTemplate(RemoteConfigTemplate(), .client, ifMatch: "*") },
            { _ = try $0.putTemplate(RemoteConfigTemplate(), .server, ifMatch: "*", validateOnly: true) },
            { _ = try $0.rollBackTemplate(.client, to: 4) },
            { _ = try $0.importTemplateVersion(RemoteConfigTemplate(), .client) },
            { _ = try $0.importTemplateVersion(RemoteConfigTemplate(), .server, activate: true) },
            { _ = try $0.templateVersions(.client, limit: 5) },
            { _ = try $0.templateDefaults(.server, format: "PLIST") },
            { _ = try $0.evaluateTemplate(.server, .init()) },
        ])
        #expect(
            lines == """
                5 GET /hearth/v1/\(project)/experiments
                5 GET /hearth/v1/\(project)/experiments/e%2F%C3%B6
                1 POST /hearth/v1/\(project)/experiments \(definitionJSON)
                1 PUT /hearth/v1/\(project)/experiments/e%2F%C3%B6 \(definitionJSON)
                1 POST /hearth/v1/\(project)/experiments {1}
                1 PUT /hearth/v1/\(project)/experiments/e%2F%C3%B6 {1}
                1 POST /hearth/v1/\(project)/experiments/e%2F%C3%B6:start {"allowCrashing":true}
                1 POST /hearth/v1/\(project)/experiments/e%2F%C3%B6:stop {"winner":"b"}
                1 POST /hearth/v1/\(project)/experiments/e%2F%C3%B6:rollOut {"variant":"b"}
                1 DELETE /hearth/v1/\(project)/experiments/e%2F%C3%B6
                5 GET /hearth/v1/\(project)/experiments/e%2F%C3%B6/results
                5 GET /hearth/v1/\(project)/experiments/e%2F%C3%B6/history
                5 GET /hearth/v1/\(project)/experiments/e%2F%C3%B6/data
                5 GET /hearth/v1/\(project)/events
                5 GET /v1/\(project)/namespaces/firebase/remoteConfig
                5 GET /v1/\(project)/namespaces/firebase-server/remoteConfig?versionNumber=3
                1 PUT /v1/\(project)/namespaces/firebase/remoteConfig {}
                1 PUT /v1/\(project)/namespaces/firebase-server/remoteConfig?validateOnly=true {}
                1 POST /v1/\(project)/namespaces/firebase/remoteConfig:rollback {"versionNumber":"4"}
                5 POST /v1/\(project)/namespaces/firebase/remoteConfig:importVersion {}
                5 POST /v1/\(project)/namespaces/firebase-server/remoteConfig:importVersion?activate=true {}
                5 GET /v1/\(project)/namespaces/firebase/remoteConfig:listVersions?pageSize=5
                5 GET /v1/\(project)/namespaces/firebase-server/remoteConfig:downloadDefaults?format=PLIST
                5 POST /hearth/v1/\(project)/namespaces/firebase-server/remoteConfig:evaluate {}
                """)
    }

    @Test("Keys, accounts and tokens") func keys() {
        let lines = requests([
            { _ = try $0.serviceAccounts() },
            { _ = try $0.createServiceAccount(.init(name: "ci", role: "viewer")) },
            { _ = try $0.updateServiceAccount("a/ö", .init(role: "viewer")) }, { _ = try $0.addKey(to: "a/ö") },
            { _ = try $0.revokeKey("k/ö", of: "a/ö", revokesTokens: false) },
            { _ = try $0.revokeKey("k/ö", of: "a/ö", revokesTokens: true) },
            { _ = try $0.revokeServiceAccount("a/ö", revokesTokens: false) },
            { _ = try $0.revokeServiceAccount("a/ö", revokesTokens: true) },
            { _ = try $0.apiKeys() }, { _ = try $0.createAPIKey(.init(name: "n")) }, { _ = try $0.apiKey("1") },
            { _ = try $0.lookUpAPIKey("A") }, { _ = try $0.updateAPIKey("k/ö", .init(bundleIds: [])) },
            { _ = try $0.rotateAPIKey("k/ö", .init(graceSeconds: 0)) }, { _ = try $0.revokeAPIKey("k/ö") },
            { _ = try $0.adminTokens(ofServer: true) }, { _ = try $0.adminTokens(ofServer: false) },
            { _ = try $0.createAdminToken(.init(name: "n", role: "viewer"), ofServer: true) },
            { _ = try $0.createAdminToken(.init(name: "n", role: "viewer"), ofServer: false) },
            { _ = try $0.revokeAdminToken("t/ö", ofServer: true) },
            { _ = try $0.revokeAdminToken("t/ö", ofServer: false) },
            { _ = try $0.signingKeys() }, { _ = try $0.rotateSigningKey() }, { _ = try $0.retireSigningKey("k/ö") },
        ])
        #expect(
            lines == """
                5 GET /hearth/v1/\(project)/serviceAccounts
                1 POST /hearth/v1/\(project)/serviceAccounts {"name":"ci","role":"viewer"}
                1 PATCH /hearth/v1/\(account) {"role":"viewer"}
                1 POST /hearth/v1/\(account)/keys
                1 DELETE /hearth/v1/\(account)/keys/k%2F%C3%B6
                1 DELETE /hearth/v1/\(account)/keys/k%2F%C3%B6?endTokens=true
                1 DELETE /hearth/v1/\(account)
                1 DELETE /hearth/v1/\(account)?endTokens=true
                5 GET /hearth/v1/\(project)/apiKeys
                1 POST /hearth/v1/\(project)/apiKeys {"name":"n"}
                5 GET /hearth/v1/\(project)/apiKeys
                1 POST /hearth/v1/\(project)/apiKeys:lookup {"key":"A"}
                1 PATCH /hearth/v1/\(project)/apiKeys/k%2F%C3%B6 {"bundleIds":[]}
                1 POST /hearth/v1/\(project)/apiKeys/k%2F%C3%B6:rotate {"graceSeconds":0}
                1 DELETE /hearth/v1/\(project)/apiKeys/k%2F%C3%B6
                5 GET /hearth/v1/adminTokens
                5 GET /hearth/v1/\(project)/adminTokens
                1 POST /hearth/v1/adminTokens {"name":"n","role":"viewer"}
                1 POST /hearth/v1/\(project)/adminTokens {"name":"n","role":"viewer"}
                1 DELETE /hearth/v1/adminTokens/t%2F%C3%B6
                1 DELETE /hearth/v1/\(project)/adminTokens/t%2F%C3%B6
                5 GET /hearth/v1/server/signingKeys
                1 POST /hearth/v1/server/signingKeys
                1 POST /hearth/v1/server/signingKeys/k%2F%C3%B6:retire
                """)
    }

    @Test("Projects, the console and the server") func projects() {
        let lines = requests([
            { _ = try $0.projects() }, { _ = try $0.project("q/ö") }, { _ = try $0.createProject("q") },
            { try $0.deleteProject("q/ö") }, { _ = try $0.overview() }, { _ = try $0.search("a b&") },
            { _ = try $0.auditEntries(ofProject: nil, filter: .init(actor: "a b"), limit: 5) },
            { _ = try $0.auditEntries(ofProject: "q/ö", limit: 5) },
            { _ = try $0.createSignInCode() }, { _ = try $0.consoleSessions() },
            { try $0.revokeConsoleSession("s/ö") }, { _ = try $0.sharedLinks() },
            { _ = try $0.shareRelease(2, of: "7") }, { _ = try $0.shareExperiment("e", lifetimeSeconds: 60) },
            { _ = try $0.revokeSharedLink("l/ö") }, { _ = try $0.serverStatus() },
            { _ = try $0.unfinishedUploads() }, { _ = try $0.cancelUpload("u/ö") },
        ])
        #expect(
            lines == """
                5 GET /hearth/v1/projects
                5 GET /hearth/v1/projects/q%2F%C3%B6
                1 POST /hearth/v1/projects {"projectId":"q"}
                1 DELETE /hearth/v1/projects/q%2F%C3%B6
                5 GET /hearth/v1/\(project)/overview
                5 GET /hearth/v1/\(project)/search?q=a%20b%26
                5 GET /hearth/v1/audit?pageSize=5&actor=a%20b
                5 GET /hearth/v1/projects/q%2F%C3%B6/audit?pageSize=5
                1 POST /hearth/v1/signInCodes
                5 GET /hearth/v1/consoleSessions
                1 DELETE /hearth/v1/consoleSessions/s%2F%C3%B6
                5 GET /hearth/v1/\(project)/sharedLinks
                1 POST /hearth/v1/\(project)/sharedLinks {"model":"7","release":2}
                1 POST /hearth/v1/\(project)/sharedLinks {"experiment":"e","lifetimeSeconds":60}
                1 DELETE /hearth/v1/\(project)/sharedLinks/l%2F%C3%B6
                5 GET /hearth/v1/server
                5 GET /hearth/v1/\(project)/uploads
                1 DELETE /hearth/v1/\(project)/uploads/u%2F%C3%B6
                """)
    }

    @Test("A name that is not that of a model goes to the server as it is") func otherNames() {
        let lines = requests([
            { _ = try $0.model("7") }, { _ = try $0.release(2, of: "") },
            { _ = try $0.rollBack("projects/p/models/7/versions/3", .init()) },
        ])
        #expect(
            lines == """
                5 GET /v1beta2/7
                5 GET /hearth/v1//releases/2
                1 POST /hearth/v1/projects/p/models/7/versions/3:rollback {}
                """)
    }

    @Test("What the client asks until a rehearsal is done") func rehearsal() throws {
        let server = StubServer { call in
            var answer = RehearsalBodies.Rehearsal(
                rehearsal: "r/ö", version: 3, against: nil, state: call.method == "POST" ? "queued" : "failed",
                createTime: "2026-11-21T12:00:00Z", createdBy: "ci@p")
            if call.method == "GET" { answer.failure = "no" }
            return StubServer.json(answer)
        }
        #expect(throws: AdminError.self) { try server.client().client.rehearse(model, .init()) }
        #expect(server.texts.last == "GET /hearth/v1/\(model)/rehearsals/r%2F%C3%B6")
    }
}
