import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Secrets stay where they were made") struct SecrecyTests {
    @Test("No secret is in the audit log, the server's log, a list, or an error's text")
    func secrets() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        let project = try WireJSON.decode(
            ProjectBodies.CreateResponse.self,
            from: service.hearth(.post, "projects", #"{"projectId":"flowers-app"}"#, token: root).body)
        let account = try WireJSON.decode(
            ServiceAccountKey.self,
            from: service.hearth(
                .post, "projects/project-a/serviceAccounts", #"{"name":"ci","role":"owner"}"#
            ).body)
        let key = try WireJSON.decode(
            KeyBodies.APIKey.self,
            from: service.hearth(.post, "projects/project-a/apiKeys", #"{"name":"k"}"#).body)
        let token = try WireJSON.decode(
            KeyBodies.AdminToken.self,
            from: service.hearth(.post, "projects/project-a/adminTokens", #"{"name":"t","role":"owner"}"#).body)
        let access = try service.accessToken(service.a)
        let secrets = [
            root, project.serviceAccountKey.privateKey, project.serviceAccountKey.clientSecret,
            try #require(project.apiKey.key), account.privateKey, account.clientSecret, try #require(key.key),
            try #require(token.token), access,
        ]
        var seen: [String] = []
        for path in [
            "projects", "audit", "adminTokens", "projects/project-a", "projects/project-a/serviceAccounts",
            "projects/project-a/apiKeys", "projects/project-a/adminTokens", "projects/project-a/audit",
        ] {
            let answer = try service.hearth(.get, path, token: root)
            #expect(answer.status == 200)
            seen.append(answer.text)
        }
        for secret in secrets {
            seen.append(try service.hearth(.get, "projects", token: secret + "x").text)
            seen.append(
                try service.call(
                    .get, "/v1beta2/projects/project-a/models/x:download", headers: ["x-goog-api-key": secret + "x"]
                ).text)
            seen.append(
                try service.call(
                    .post, "/token",
                    body: Array("grant_type=client_credentials&client_id=x&client_secret=\(secret)".utf8)
                ).text)
        }
        seen += service.log.lines + (try service.audit(nil).map { "\($0)" })
        for secret in secrets {
            for text in seen {
                #expect(!text.contains(secret))
                #expect(!text.contains(SecretHash.hex(of: secret)))
            }
        }
    }

    @Test("An answer with a secret in it is for nobody on the way to keep")
    func notStored() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        let keys = "projects/project-a"
        let installation = try service.call(
            .post, "/v1/projects/project-a/installations", headers: ["x-goog-api-key": service.a.apiKey],
            body: Array(#"{"appId":"\#(service.a.apiKeyRecord.appID)"}"#.utf8))
        let answers = [
            try service.hearth(.post, "projects", #"{"projectId":"flowers-app"}"#, token: root),
            try service.hearth(.post, "\(keys)/serviceAccounts", #"{"name":"ci","role":"owner"}"#),
            try service.hearth(.post, "\(keys)/serviceAccounts/\(service.a.account.email)/keys"),
            try service.hearth(.post, "\(keys)/apiKeys", #"{"name":"k"}"#),
            try service.hearth(.post, "\(keys)/apiKeys/\(service.a.apiKeyRecord.id):rotate"),
            try service.hearth(.post, "\(keys)/adminTokens", #"{"name":"t","role":"owner"}"#),
            installation,
        ]
        for answer in answers {
            #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store", "\(answer.status)")
        }
    }
}
