import Foundation
import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Service accounts and their keys") struct ServiceAccountTests {
    private static let path = "projects/project-a/serviceAccounts"
    private let service: TestService

    init() throws { service = try TestService() }

    private var own: String { service.a.account.email }

    private func key(_ answer: TestResponse) throws -> ServiceAccountKey {
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(ServiceAccountKey.self, from: answer.body)
    }

    /// Signs in as SDKs do, with what the key file says.
    private func signIn(_ key: ServiceAccountKey, named: Bool = true) throws -> TestResponse {
        let claims: [String: Any] = [
            "iss": key.clientEmail, "iat": TestClock.start.seconds, "exp": TestClock.start.seconds + 3600,
            "aud": "https://oauth2.googleapis.com/token",
        ]
        let assertion = try JWT.encodeRS256(
            payload: Array(try JSONSerialization.data(withJSONObject: claims)), keyID: named ? key.privateKeyID : nil,
            key: try RSAPrivateKey(pem: key.privateKey))
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        return try service.call(.post, "/token", body: Array("assertion=\(assertion)&grant_type=\(grant)".utf8))
    }

    @Test("A new account's key file works with its role, until it is revoked: then its tokens end at once")
    func life() throws {
        let made = try key(service.hearth(.post, Self.path, #"{"name":"ci-robot","role":"publisher"}"#))
        #expect(made.clientEmail == "ci-robot@project-a.iam.hearth.invalid" && made.projectID == "project-a")
        let token = try #require(try signIn(made).string("access_token"))
        func create(_ name: String) throws -> Int {
            try service.call(
                .post, "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(token)"],
                body: Array(#"{"displayName":"\#(name)"}"#.utf8)
            ).status
        }
        #expect(try create("one") == 200)
        #expect(try service.hearth(.get, Self.path, token: token).status == 403)

        let path = "\(Self.path)/\(made.clientEmail)/keys"
        let second = try key(service.hearth(.post, path))
        #expect(second.privateKeyID != made.privateKeyID)
        #expect(try signIn(second).status == 200)
        #expect(try signIn(second, named: false).status == 200, "without a name every active key is tried")

        let revoked = try service.hearth(.delete, "\(path)/\(made.privateKeyID)")
        #expect(revoked.status == 200 && revoked.string("endTime") == "2027-01-15T08:00:00.000123Z")
        #expect(try create("two") == 401, "no waiting for the hour to end")
        #expect(try signIn(made).status == 400)
        #expect(try signIn(made, named: false).status == 400)
        #expect(try signIn(second).status == 200)
        #expect(try service.hearth(.delete, "\(path)/\(made.privateKeyID)").status == 200, "again is no error")

        #expect(
            try service.auditLines() == [
                "\(own) serviceAccount.create serviceAccounts/\(made.clientEmail)",
                "\(made.clientEmail) model.create models/1000001",
                "\(own) accountKey.create serviceAccounts/\(made.clientEmail)",
                "\(own) accountKey.revoke serviceAccounts/\(made.clientEmail)",
            ])
    }

    @Test(
        "A revocation names the admin tokens that the account made, and ends them when told to",
        arguments: [false, true])
    func madeTokens(ends: Bool) throws {
        let made = try key(service.hearth(.post, Self.path, #"{"name":"ann","role":"owner"}"#))
        let access = try #require(try signIn(made).string("access_token"))
        func token(by maker: String) throws -> (id: String, text: String) {
            let answer = try service.hearth(
                .post, "projects/project-a/adminTokens", #"{"name":"t","role":"owner"}"#, token: maker)
            return (try #require(answer.string("id")), try #require(answer.string("token")))
        }
        let first = try token(by: access)
        let second = try token(by: first.text)
        let other = try token(by: service.accessToken(service.a))
        func statuses() throws -> [Int] {
            try [first, second, other].map { try service.hearth(.get, Self.path, token: $0.text).status }
        }
        let answer = try service.hearth(.delete, "\(Self.path)/\(made.clientEmail)\(ends ? "?endTokens=true" : "")")
        let named = try WireJSON.decode(KeyBodies.ServiceAccount.self, from: answer.body).adminTokens ?? []
        #expect(Set(named.map(\.id)) == [first.id, second.id] && named.allSatisfy { $0.token == nil })
        #expect(named.allSatisfy { ($0.endTime != nil) == ends })
        #expect(try statuses() == (ends ? [401, 401, 200] : [200, 200, 200]))
        let end = try service.auditLines().filter { $0.contains("adminToken.end") }
        #expect(Set(end) == (ends ? Set([first, second].map { "\(own) adminToken.end adminTokens/\($0.id)" }) : []))
        // Later, and for one key, too.
        let path = "\(Self.path)/\(made.clientEmail)/keys/\(made.privateKeyID)"
        let again = try service.hearth(.delete, "\(path)?endTokens=true")
        #expect((again["adminTokens"] == nil) == ends)
        #expect(try statuses() == [401, 401, 200])
        try service.hearth(.delete, "\(path)?endTokens=yes").expectRefusal(
            400, "INVALID_ARGUMENT", "endTokens must be true or false.")
    }

    @Test("A key's secret is refused once the key is revoked")
    func clientSecret() throws {
        let made = try key(service.hearth(.post, Self.path, #"{"name":"curl","role":"viewer"}"#))
        func ask() throws -> TestResponse {
            try service.call(
                .post, "/token",
                body: Array(
                    "grant_type=client_credentials&client_id=\(made.clientID)&client_secret=\(made.clientSecret)".utf8))
        }
        #expect(try ask().status == 200)
        #expect(
            try service.hearth(.delete, "\(Self.path)/\(made.clientEmail)").status == 200, "all keys of the account")
        #expect(try ask().string("error") == "invalid_client")
    }

    @Test("The list has all accounts and keys of the project, and no secret")
    func list() throws {
        _ = try service.addAccount("viewer", .viewer)
        let answer = try service.hearth(.get, Self.path)
        let list = try WireJSON.decode(KeyBodies.ServiceAccountList.self, from: answer.body).serviceAccounts
        #expect(list?.map(\.email) == [own, "viewer@project-a.iam.hearth.invalid"])
        #expect(list?.map(\.role) == ["owner", "viewer"] && list?[0].operator == nil)
        #expect(list?[0].keys?.map(\.id) == [service.a.accountKey.id])
        #expect(!answer.text.contains("PUBLIC KEY") && !answer.text.contains(service.a.accountKey.clientSecretHash))
    }

    @Test("The last key of the last owner stays, also when it is asked for in other ways")
    func lastOwner() throws {
        _ = try service.addAccount("viewer", .viewer)
        let keyPath = "\(Self.path)/\(own)/keys/\(service.a.accountKey.id)"
        for path in [keyPath, "\(Self.path)/\(own)"] {
            try service.hearth(.delete, path).expectRefusal(
                400, "FAILED_PRECONDITION",
                "This is the last key of the project's last owner; create another one first.")
        }
        _ = try service.addAccount("second", .owner)
        #expect(try service.hearth(.delete, keyPath).status == 200)
        try service.hearth(.get, Self.path).expectRefusal(401, "UNAUTHENTICATED")
    }

    @Test("The last key of the last operator stays, and so does one of two revoked at once")
    func lastOperator() throws {
        let root = try service.addAccount("root", .owner, isOperator: true)
        let token = try service.accessToken(root)
        let path = "\(Self.path)/\(root.email)"
        try service.hearth(.delete, "\(path)/keys/\(root.id)", token: token).expectRefusal(
            400, "FAILED_PRECONDITION", "This is the last key of the last operator; create another one first.")
        let second = try service.addKey(to: root.email)
        try service.hearth(.delete, path, token: token).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try service.hearth(.delete, "\(path)/keys/\(root.id)", token: token).status == 200)
        try service.hearth(.delete, "\(path)/keys/\(second.id)", token: service.accessToken(second))
            .expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("The owner of a project cannot become an operator by way of an operator's account")
    func escalation() throws {
        let root = try service.addAccount("root", .owner, isOperator: true)
        for token in [try service.accessToken(service.a), try service.adminToken(.owner)] {
            try service.hearth(.post, "\(Self.path)/\(root.email)/keys", token: token)
                .expectRefusal(403, "PERMISSION_DENIED")
            try service.hearth(.delete, "\(Self.path)/\(root.email)/keys/\(root.id)", token: token)
                .expectRefusal(403, "PERMISSION_DENIED")
            try service.hearth(.delete, "\(Self.path)/\(root.email)", token: token)
                .expectRefusal(403, "PERMISSION_DENIED")
            try service.hearth(.post, Self.path, #"{"name":"mine","role":"owner","operator":true}"#, token: token)
                .expectRefusal(403, "PERMISSION_DENIED")
        }
        let made = try key(
            service.hearth(
                .post, Self.path, #"{"name":"second","role":"owner","operator":true}"#, token: service.accessToken(root)
            ))
        let token = try #require(try signIn(made).string("access_token"))
        #expect(try service.hearth(.get, "audit", token: token).status == 200)
    }

    @Test("The name of an account whose keys have all ended may be used again, in another role")
    func nameAgain() throws {
        let first = try key(service.hearth(.post, Self.path, #"{"name":"ci","role":"owner"}"#))
        let body = #"{"name":"ci","role":"viewer"}"#
        try service.hearth(.post, Self.path, body).expectRefusal(409, "ALREADY_EXISTS")
        #expect(try service.hearth(.delete, "\(Self.path)/\(first.clientEmail)").status == 200)
        let second = try key(service.hearth(.post, Self.path, body))
        #expect(second.clientEmail == first.clientEmail)
        #expect(try signIn(first).status == 400, "what was revoked stays so")
        let token = try #require(try signIn(second).string("access_token"))
        #expect(try service.hearth(.get, Self.path, token: token).status == 403)
        // An operator's name is for operators.
        var root = try service.addAccount("root", .owner, isOperator: true)
        root.endsMicroseconds = 1
        let ended = root
        try service.services.metadata.write { try $0.update(ended) }
        try service.hearth(.post, Self.path, #"{"name":"root","role":"viewer"}"#)
            .expectRefusal(403, "PERMISSION_DENIED")
    }

    @Test("A role changes from the next call on; the last owner and operators keep theirs")
    func roles() throws {
        let second = try service.addAccount("second", .owner)
        let token = try service.accessToken(second)
        let path = "\(Self.path)/\(second.email)"
        let changed = try service.hearth(.patch, path, #"{"role":"viewer"}"#)
        #expect(changed.status == 200 && changed.string("role") == "viewer")
        #expect(try service.hearth(.get, Self.path, token: token).status == 403)
        #expect(try service.audit().first?.detail == "owner -> viewer")
        #expect(try service.hearth(.patch, path, #"{"role":"viewer"}"#).status == 200)
        #expect(try service.audit().count == 1, "what stays as it was is no change")
        try service.hearth(.patch, "\(Self.path)/\(own)", #"{"role":"publisher"}"#).expectRefusal(
            400, "FAILED_PRECONDITION", "This is the project's last owner; create another one first.")
        #expect(try service.hearth(.patch, "\(Self.path)/\(own)", #"{"role":"owner"}"#).status == 200)
        try service.hearth(.patch, path, #"{"role":"root"}"#).expectRefusal(400, "INVALID_ARGUMENT")
        let root = try service.addAccount("root", .owner, isOperator: true)
        let operatorPath = "\(Self.path)/\(root.email)"
        try service.hearth(.patch, operatorPath, #"{"role":"viewer"}"#).expectRefusal(403, "PERMISSION_DENIED")
        try service.hearth(.patch, operatorPath, #"{"role":"viewer"}"#, token: service.accessToken(root))
            .expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("Accounts of another project are not there")
    func otherProject() throws {
        for path in ["\(service.b.account.email)/keys", "nobody@project-a.iam.hearth.invalid/keys"] {
            try service.hearth(.post, "\(Self.path)/\(path)").expectRefusal(404, "NOT_FOUND")
        }
        try service.hearth(.delete, "\(Self.path)/\(service.b.account.email)/keys/\(service.b.accountKey.id)")
            .expectRefusal(404, "NOT_FOUND")
        try service.hearth(.delete, "\(Self.path)/\(own)/keys/\(service.b.accountKey.id)")
            .expectRefusal(404, "NOT_FOUND")
    }

    @Test(
        "Bad names and roles are refused, a taken name is 409, and nothing is written",
        arguments: [
            (#"{"name":"","role":"viewer"}"#, 400), (#"{"name":"1ci","role":"viewer"}"#, 400),
            (#"{"name":"Ci","role":"viewer"}"#, 400), (#"{"name":"a@b","role":"viewer"}"#, 400),
            (#"{"name":"aaaaaaaaaabbbbbbbbbbccccccccccd","role":"viewer"}"#, 400), (#"{"name":"ci"}"#, 400),
            (#"{"name":"ci","role":"root"}"#, 400), (#"{"name":"ci","role":"Owner"}"#, 400), ("", 400), ("[]", 400),
            (#"{"name":"admin","role":"viewer"}"#, 409),
        ])
    func refusals(body: String, status: Int) throws {
        try service.hearth(.post, Self.path, body)
            .expectRefusal(status, status == 400 ? "INVALID_ARGUMENT" : "ALREADY_EXISTS")
        #expect(try service.audit().isEmpty)
    }

    @Test("An account has ten active keys at most")
    func manyKeys() throws {
        for _ in 1..<AccountRules.keysPerAccount { _ = try service.addKey(to: own) }
        try service.hearth(.post, "\(Self.path)/\(own)/keys").expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try service.hearth(.delete, "\(Self.path)/\(own)/keys/key2").status == 200)
        #expect(try service.hearth(.post, "\(Self.path)/\(own)/keys").status == 200)
    }
}
