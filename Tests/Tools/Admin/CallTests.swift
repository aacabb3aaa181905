import HearthAdminTestSupport
import HearthCalls
import HearthTransport
import HearthWire
import Testing

@testable import HearthAdmin

/// Where calls go, and what they carry.
@Suite struct CallTests {
    @Test func callsAboutKeysAndProjectsGoWhereTheServerExpectsThem() throws {
        let server = StubServer { _ in StubServer.refusal(400) }
        let client = server.client(project: "p-one").client
        let calls: [() throws -> Void] = [
            { _ = try client.serviceAccounts() }, { _ = try client.addKey(to: "ci@p") },
            { _ = try client.revokeKey("k", of: "ci@p", revokesTokens: false) },
            { _ = try client.revokeServiceAccount("ci@p", revokesTokens: true) },
            { _ = try client.createAPIKey(.init(name: "n")) },
            { _ = try client.updateAPIKey("1", .init(bundleIds: [])) },
            { _ = try client.rotateAPIKey("1", .init(graceSeconds: 0)) }, { _ = try client.revokeAPIKey("1") },
            { _ = try client.adminTokens(ofServer: true) }, { _ = try client.revokeAdminToken("t", ofServer: false) },
            { _ = try client.project("p-one") }, { _ = try client.auditEntries(ofProject: nil, limit: 5) },
            { _ = try client.auditEntries(ofProject: "p-one", limit: 5) },
            { _ = try client.auditEntries(ofProject: nil, filter: .init(actor: "a b"), limit: 5) },
            { _ = try client.updateServiceAccount("ci@p", .init(role: "viewer")) },
            { _ = try client.lookUpAPIKey("A") }, { try client.deleteProject("p-one") },
            { _ = try client.signingKeys() }, { _ = try client.rotateSigningKey() },
            { _ = try client.retireSigningKey("1/x") },
            { _ = try client.overview() }, { _ = try client.search("a b%&q=c") },
        ]
        for call in calls { #expect(throws: AdminError.self) { try call() } }
        let project = "/hearth/v1/projects/p-one"
        #expect(
            server.texts == [
                "GET \(project)/serviceAccounts", "POST \(project)/serviceAccounts/ci%40p.iam.hearth.invalid/keys",
                "DELETE \(project)/serviceAccounts/ci%40p.iam.hearth.invalid/keys/k",
                "DELETE \(project)/serviceAccounts/ci%40p.iam.hearth.invalid?endTokens=true",
                "POST \(project)/apiKeys", "PATCH \(project)/apiKeys/1", "POST \(project)/apiKeys/1:rotate",
                "DELETE \(project)/apiKeys/1", "GET /hearth/v1/adminTokens", "DELETE \(project)/adminTokens/t",
                "GET \(project)", "GET /hearth/v1/audit?pageSize=5", "GET \(project)/audit?pageSize=5",
                "GET /hearth/v1/audit?pageSize=5&actor=a%20b",
                "PATCH \(project)/serviceAccounts/ci%40p.iam.hearth.invalid",
                "POST \(project)/apiKeys:lookup", "DELETE \(project)",
                "GET /hearth/v1/server/signingKeys", "POST /hearth/v1/server/signingKeys",
                "POST /hearth/v1/server/signingKeys/1%2Fx:retire", "GET \(project)/overview",
                "GET \(project)/search?q=a%20b%25%26q%3Dc",
            ])
        // An empty list lifts the restriction; a list that is left out would keep it.
        #expect(server.calls[5].json["bundleIds"] as? [String] == [])
    }

    @Test func dataComeInPiecesUpToTheLast() throws {
        let server = StubServer { call in
            let isFirst = !call.url.contains("pageToken")
            return TransportResponse(
                status: 200, headers: TransportHeaders(isFirst ? [("X-Hearth-Next-Page-Token", "a b")] : []),
                body: Array((isFirst ? "head\n1\n" : "2\n").utf8))
        }
        var text = ""
        try server.client().client.experimentData("x") { text += String(decoding: $0, as: UTF8.self) }
        #expect(text == "head\n1\n2\n")
        #expect(server.texts.last == "GET /hearth/v1/projects/p-stand-in/experiments/x/data?pageToken=a%20b")
    }

    @Test func callsAboutExperimentsGoWhereTheServerExpectsThem() throws {
        let server = StubServer { _ in StubServer.refusal(400) }
        let client = server.client(project: "p-one").client
        let calls: [() throws -> Void] = [
            { _ = try client.experiments() }, { _ = try client.experiment("x") },
            { _ = try client.createExperiment(json: Array(#"{"nam": 1}"#.utf8)) },
            { _ = try client.replaceExperiment("x", json: [1]) },
            { _ = try client.startExperiment("x") },
            { _ = try client.stopExperiment("x", winner: "b") },
            { _ = try client.rollOutExperiment("x", variant: "b") },
            { try client.deleteExperiment("x") }, { _ = try client.experimentResults("x") },
            { try client.experimentData("x") { _ in } }, { _ = try client.eventSummary() },
            { _ = try client.experimentHistory("x") },
        ]
        for call in calls { #expect(throws: AdminError.self) { try call() } }
        let path = "/hearth/v1/projects/p-one/experiments"
        #expect(
            server.texts == [
                "GET \(path)", "GET \(path)/x", "POST \(path)", "PUT \(path)/x", "POST \(path)/x:start",
                "POST \(path)/x:stop", "POST \(path)/x:rollOut", "DELETE \(path)/x", "GET \(path)/x/results",
                "GET \(path)/x/data", "GET /hearth/v1/projects/p-one/events", "GET \(path)/x/history",
            ])
        // As it was written: a mistyped key is the server's to refuse.
        #expect(server.calls[2].json["nam"] as? Int == 1)
        #expect(server.calls[5].json["winner"] as? String == "b" && server.calls[6].json["variant"] as? String == "b")
    }

    @Test func callsAboutAliasesGoWhereTheServerExpectsThem() throws {
        let server = StubServer { _ in StubServer.refusal(400) }
        let client = server.client().client
        let model = "projects/p/models/7"
        let calls: [() throws -> Void] = [
            { _ = try client.version(alias: "champion", of: model) }, { _ = try client.aliases(of: model) },
            { _ = try client.setAlias("a/b", to: 3, of: model) }, { _ = try client.removeAlias("champion", of: model) },
            { _ = try client.setNote("x", ofVersion: 3, of: model) },
            { _ = try client.setNote(nil, ofVersion: 3, of: model) },
        ]
        for call in calls { #expect(throws: AdminError.self) { try call() } }
        let path = "/hearth/v1/projects/p/models/7"
        #expect(
            server.texts == [
                "GET \(path)/versions/champion", "GET \(path)/aliases", "PUT \(path)/aliases/a%2Fb",
                "DELETE \(path)/aliases/champion", "PATCH \(path)/versions/3", "PATCH \(path)/versions/3",
            ])
        #expect(server.calls[2].json["version"] as? Int == 3)
        #expect(server.calls[4].json["note"] as? String == "x" && server.calls[5].json["note"] as? String == "")
    }

    @Test func triesAndComparisonsGoWhereTheServerExpectsThem() throws {
        let server = StubServer { _ in StubServer.refusal(400) }
        let client = server.client().client
        let model = "projects/p/models/7"
        #expect(throws: AdminError.self) { try client.tryVersion(3, on: [1, 2], of: model) }
        #expect(throws: AdminError.self) { try client.compareVersion(3, with: 2, of: model) }
        #expect(throws: AdminError.self) { try client.tryVersion(3, on: [1], of: model, threshold: 0.25) }
        let path = "/hearth/v1/projects/p/models/7/versions/3"
        #expect(
            server.texts == ["POST \(path):try", "GET \(path):compare?with=2", "POST \(path):try?threshold=0.25"])
        #expect(server.calls[0].body == [1, 2])
        #expect(server.calls[0].headers["content-type"] == "application/octet-stream")
    }

    @Test func callsAboutTemplatesGoWhereTheServerExpectsThem() throws {
        let server = StubServer { _ in StubServer.refusal(400) }
        let client = server.client(project: "p-one").client
        let calls: [() throws -> Void] = [
            { _ = try client.template(.client) }, { _ = try client.template(.server, version: 3) },
            { _ = try client.putTemplate(RemoteConfigTemplate(), .client, ifMatch: "*") },
            { _ = try client.putTemplate(RemoteConfigTemplate(), .client, ifMatch: "etag-1-2", validateOnly: true) },
            { _ = try client.rollBackTemplate(.client, to: 4) },
            { _ = try client.templateVersions(.client, limit: 5) },
            { _ = try client.templateDefaults(.client, format: "PLIST") },
        ]
        for call in calls { #expect(throws: AdminError.self) { try call() } }
        let path = "/v1/projects/p-one/namespaces/firebase"
        #expect(
            server.texts == [
                "GET \(path)/remoteConfig", "GET \(path)-server/remoteConfig?versionNumber=3",
                "PUT \(path)/remoteConfig", "PUT \(path)/remoteConfig?validateOnly=true",
                "POST \(path)/remoteConfig:rollback", "GET \(path)/remoteConfig:listVersions?pageSize=5",
                "GET \(path)/remoteConfig:downloadDefaults?format=PLIST",
            ])
        #expect(server.calls[2].headers["if-match"] == "*" && server.calls[3].headers["if-match"] == "etag-1-2")
        #expect(server.calls[4].json["versionNumber"] as? String == "4")
    }

    @Test func aTemplateSaysWhichVersionItIs() throws {
        var template = RemoteConfigTemplate(version: RemoteConfigVersion())
        template.version?.versionNumber = "7"
        let found = try FetchedTemplate(StubServer.json(template, headers: [("ETag", "etag-123-7")]))
        #expect(found.version == 7 && found.etag == "etag-123-7" && found.etag(ofVersion: 3) == "etag-123-3")
        let none = try FetchedTemplate(StubServer.json(RemoteConfigTemplate(), headers: [("ETag", "etag-123-0")]))
        #expect(none.version == 0)
        #expect(throws: AdminError.self) { try FetchedTemplate(StubServer.json(template)) }
    }

    private func upload() -> UploadBodies.Unfinished {
        UploadBodies.Unfinished(
            upload: "0123456789abcdef", fileName: "m.tflite", receivedBytes: "8388608", totalBytes: nil,
            createTime: "2026-11-21T12:00:00.000000Z", createdBy: "ci@p", updateTime: "2026-11-21T12:30:00.000000Z",
            expireTime: "2026-11-28T12:30:00.000000Z")
    }

    @Test func callsAboutUploadsGoWhereTheServerExpectsThem() throws {
        let server = StubServer { [upload = upload()] call in
            call.method == "GET"
                ? StubServer.json(UploadBodies.List(uploads: nil)) : StubServer.json(upload)
        }
        let client = server.client().client
        #expect(try client.unfinishedUploads().isEmpty)
        #expect(try client.cancelUpload("a/b").fileName == "m.tflite")
        #expect(
            server.texts == [
                "GET /hearth/v1/projects/p-stand-in/uploads", "DELETE /hearth/v1/projects/p-stand-in/uploads/a%2Fb",
            ])
    }
}
