import Foundation
import HearthArguments
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthCommandLine

@Suite struct KeyCommandTests {
    private let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!

    @Test func keysAreActiveUntilTheyEnd() {
        #expect(KeyTables.state(nil, now: now) == "active")
        #expect(KeyTables.state("2026-12-01T09:00:00.000000Z", now: now) == "until 2026-12-01 09:00")
        #expect(KeyTables.state("2026-11-21T12:00:00Z", now: now) == "ended")
        #expect(KeyTables.state("junk", now: now) == "ended")
    }

    @Test("What the server says has ended is shown as ended, although its date is in the future")
    func endedBeforeItsDate() throws {
        let text = """
            {"id": "t", "name": "ci", "role": "viewer", "createTime": "2026-11-01T00:00:00Z", "createdBy": "ann", \
            "appId": "a", "endTime": "2026-12-17T00:00:00Z", "ended": true}
            """
        let token = try JSONDecoder().decode(KeyBodies.AdminToken.self, from: Data(text.utf8))
        let tokens = KeyTables.tokens([token], now: now)
        #expect(tokens.contains("ended") && !tokens.contains("until"), "\(tokens)")
        let key = try JSONDecoder().decode(KeyBodies.APIKey.self, from: Data(text.utf8))
        let keys = KeyTables.apiKeys([key], now: now)
        #expect(keys.contains("ended") && !keys.contains("until"), "\(keys)")
    }

    @Test func anAccountHasALinePerKey() {
        let account = KeyBodies.ServiceAccount(
            email: "ci@p", role: "owner", operator: true, createTime: "2026-11-01T00:00:00Z",
            keys: [
                .init(id: "k1", createTime: "2026-11-01T00:00:00Z", endTime: "2026-11-02T00:00:00Z"),
                .init(id: "k2", createTime: "2026-11-03T00:00:00Z", endTime: nil),
            ])
        let lines = KeyTables.accounts([account], now: now).split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("k1") && lines[1].contains("ended"))
        #expect(lines[2].contains("k2") && lines[2].contains("owner, operator") && lines[2].contains("active"))
        #expect(KeyTables.accounts([], now: now) == "none")
    }

    private func message(_ arguments: [String]) -> String {
        do {
            var command = try HearthCommand.parseAsRoot(["keys"] + arguments)
            try command.run()
            return ""
        } catch {
            return HearthCommand.message(for: error)
        }
    }

    @Test(arguments: [
        (["account", "create", "ci"], "--output FILE"), (["account", "create", "CI", "--output", "-"], "lower-case"),
        (["account", "create", "1st", "--output", "-"], "a letter first"),
        (["account", "create", "ci", "--role", "admin"], "'viewer', 'publisher' or 'owner'"),
        (["account", "add-key", "ci@p"], "--output FILE"), (["api", "restrict", "1"], "--bundle-id"),
        (["api", "restrict", "1", "--any", "--bundle-id", "x"], "--bundle-id"),
        (["api", "rotate", "1", "--grace", "30"], "--grace"),
        (["token", "create", "t", "--lifetime", "0s"], "--lifetime"),
        (["api", "create", "k", "--platform", "mac"], "'ios', 'android' or 'web'"),
        (["api", "rotate", "1", "--bundle-id", "x"], "--output"), (["api", "plist", "--output", "f"], "--from FILE"),
        (["api", "plist", "--output", "f", "--from", "a", "--key", "b"], "--from FILE"),
        (["api", "plist", "--output", "f", "--from", "/nowhere"], "Cannot read /nowhere"),
        (["account", "role", "ci@p", "king"], "'viewer', 'publisher' or 'owner'"),
        (["tokn"], "Did you mean 'token'?"),
    ])
    func nonsenseIsExplained(arguments: [String], text: String) {
        #expect(message(arguments).contains(text))
    }

    @Test(arguments: [
        ["account", "create", "ci"], ["account", "add-key", "ci@p"], ["api", "create", "k"],
        ["api", "rotate", "1", "--bundle-id", "x"], ["api", "plist", "--from", "a"], ["token", "create", "t"],
    ])
    func theFileHasOneNameAndScriptsKeepTheFormerOne(arguments: [String]) throws {
        for option in ["--output", "-o", "--out"] {
            #expect(throws: Never.self) { try HearthCommand.parseAsRoot(["keys"] + arguments + [option, "file"]) }
        }
        let path = try HearthCommand.parseAsRoot(["keys"] + arguments + ["--output", "file"])
        let help = HearthCommand.helpMessage(for: type(of: path), columns: 200)
        #expect(help.contains("--output <file>") && !help.contains("--out "))
    }

    @Test func callsGoWhereTheServerExpectsThem() throws {
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
            { _ = try client.project("p-one") }, { _ = try client.audit(project: nil, limit: 5) },
            { _ = try client.audit(project: "p-one", limit: 5) },
            { _ = try client.audit(project: nil, filters: [("actor", "a b"), ("model", nil)], limit: 5) },
            { _ = try client.updateServiceAccount("ci@p", .init(role: "viewer")) },
            { _ = try client.lookUpAPIKey("A") }, { try client.deleteProject("p-one") },
        ]
        for call in calls { #expect(throws: AdminErrorResponse.self) { try call() } }
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
            ])
        // An empty list lifts the restriction; a list that is left out would keep it.
        #expect(server.calls[5].json["bundleIds"] as? [String] == [])
    }
}
