import Foundation
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

@Suite("Token endpoint") struct TokenTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func ask(_ form: String, authorization: String? = nil) throws -> TestResponse {
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        headers["Authorization"] = authorization
        return try service.call(.post, "/token", headers: headers, body: Array(form.utf8))
    }

    private func ask(assertion: String) throws -> TestResponse {
        try ask("assertion=\(assertion)&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer")
    }

    private func assertion(_ changes: [String: Any] = [:], key: String? = nil) throws -> String {
        let claims: [String: Any] = [
            "iss": service.a.account.email, "iat": TestClock.start.seconds, "exp": TestClock.start.seconds + 3600,
            "aud": "https://oauth2.googleapis.com/token", "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        let payload = try JSONSerialization.data(withJSONObject: claims.merging(changes) { $1 })
        return try JWT.encodeRS256(
            payload: Array(payload), keyID: service.a.accountKey.id,
            key: try RSAPrivateKey(pem: key ?? service.a.privateKeyPEM))
    }

    /// Holds the answer against RFC 6749, section 5.2.
    private func expectRefusal(_ answer: TestResponse, _ kind: String, _ status: Int = 400) {
        #expect(answer.status == status && answer.string("error") == kind, "\(answer.text)")
        #expect(answer.string("error_description")?.isEmpty == false)
        #expect(Set(answer.object.keys) == ["error", "error_description"])
        #expect(answer.headers["Cache-Control"] == "no-store")
    }

    private func expectToken(_ answer: TestResponse) throws {
        #expect(answer.status == 200, "\(answer.text)")
        #expect(Set(answer.object.keys) == ["access_token", "expires_in", "token_type"])
        #expect(answer["expires_in"] as? Int == 3600 && answer.string("token_type") == "Bearer")
        #expect(answer.headers["Cache-Control"] == "no-store")
        let token = try #require(answer.string("access_token"))
        let list = try service.call(
            .get, "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(token)"])
        #expect(list.status == 200, "the token opens the management calls")
    }

    @Test("A signed assertion, as google-auth sends it, gives a token; sent twice, two")
    func goodAssertion() throws {
        let sent = try assertion()
        for _ in 0..<2 { try expectToken(try ask(assertion: sent)) }
    }

    @Test("A token asked for with scopes that only read reads, and no more", arguments: [false, true])
    func readOnly(signs: Bool) throws {
        let scope = "https://www.googleapis.com/auth/devstorage.read_only"
        let (id, secret) = (service.a.accountKey.clientID, service.a.clientSecret)
        let answer =
            try signs
            ? ask(assertion: assertion(["scope": scope]))
            : ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)&scope=\(scope)")
        try expectToken(answer)
        let token = try #require(answer.string("access_token"))
        func call(_ method: HTTPMethod, _ path: String, _ json: String = "") throws -> TestResponse {
            try service.call(
                method, path, headers: ["Authorization": "Bearer \(token)"], body: Array(json.utf8))
        }
        let text = "The access token has read-only scopes and therefore the role viewer."
        try call(.post, "/v1beta2/projects/project-a/models", #"{"displayName":"x"}"#).expectRefusal(
            403, "PERMISSION_DENIED", "This call needs the role publisher. \(text)")
        try call(.get, "/hearth/v1/projects/project-a/adminTokens").expectRefusal(
            403, "PERMISSION_DENIED", "This call needs the role owner. \(text)")
        try call(.post, "/hearth/v1/projects", #"{"id":"project-c"}"#).expectRefusal(
            403, "PERMISSION_DENIED", "This call requires an operator of the server. \(text)")
    }

    private func token(
        audience: String, host: String = "127.0.0.1:8080", from address: String = "127.0.0.1", more: HTTPHeaders = [:],
        publicURL: String? = nil
    ) throws -> TestResponse {
        let form = "assertion=\(try assertion(["aud": audience]))&grant_type=\(Self.grant)"
        var headers = more
        headers["Host"] = host
        let head = try RequestHead(
            method: .post, target: "/token", headers: headers, contentLength: UInt64(form.utf8.count),
            remoteAddress: address, trustedProxies: #require(AddressRanges("10.1.0.0/16")), id: "request-1")
        var services = service.services
        services.publicURL = publicURL
        return try #require(InProcessCall.run(HearthService(services), head, body: Array(form.utf8), pieceBytes: 1000))
    }

    @Test("The audience of an assertion may be this endpoint, as settings or a trusted proxy name it")
    func audience() throws {
        let proxied: HTTPHeaders = ["X-Forwarded-Host": "models.example", "X-Forwarded-Proto": "https"]
        for answer in [
            try token(audience: "http://127.0.0.1:8080/token", host: "models.example", from: "192.0.2.7"),
            try token(
                audience: "https://models.example/token", from: "192.0.2.7", publicURL: "https://models.example"),
            try token(audience: "https://models.example/token", publicURL: "https://models.example/"),
            try token(audience: "https://models.example/token", from: "10.1.1.1", more: proxied),
            try token(audience: "http://localhost:9999/token", host: "localhost:9999"),
            try token(audience: "http://[::1]:9999/token", publicURL: "https://models.example"),
        ] { try expectToken(answer) }
    }

    @Test("An assertion for another server is refused, whatever the Host field says")
    func foreignAudience() throws {
        let evil = "https://evil.example/token"
        let claim: HTTPHeaders = ["X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"]
        for answer in [
            try token(audience: evil, host: "evil.example"),
            try token(audience: evil, host: "evil.example", from: "192.0.2.7"),
            try token(audience: evil, host: "evil.example", from: "192.0.2.7", more: claim),
            try token(audience: evil, host: "evil.example", from: "10.1.1.1"),
            try token(audience: evil, host: "evil.example", publicURL: "https://models.example"),
            try token(audience: "http://localhost:9999/token", host: "localhost:9999", from: "192.0.2.7"),
            try token(audience: "http://localhost:9999/token", host: "localhost:9999", from: "10.1.1.1"),
            try token(audience: "http://localhost.evil.example/token", host: "localhost"),
            try token(audience: "http://localhost/x/token", host: "localhost"),
        ] { expectRefusal(answer, "invalid_grant") }
    }

    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"

    @Test("A bad assertion is invalid_grant")
    func badAssertion() throws {
        expectRefusal(try ask(assertion: ""), "invalid_grant")
        expectRefusal(try ask(assertion: "a.b.c"), "invalid_grant")
        expectRefusal(try ask(assertion: try assertion(key: service.b.privateKeyPEM)), "invalid_grant")
        expectRefusal(try ask(assertion: try assertion(["iss": "eve@example.test"])), "invalid_grant")
        expectRefusal(try ask(assertion: try assertion(["exp": TestClock.start.seconds - 301])), "invalid_grant")
        expectRefusal(
            try ask("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"), "invalid_grant")
    }

    @Test("A client id and secret, in the form or as basic authentication, give a token")
    func clientCredentials() throws {
        let (id, secret) = (service.a.accountKey.clientID, service.a.clientSecret)
        try expectToken(try ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"))
        let basic = Data("\(id):\(secret)".utf8).base64EncodedString()
        try expectToken(try ask("grant_type=client_credentials", authorization: "Basic \(basic)"))
        try expectToken(try ask("grant_type=client_credentials", authorization: "basic \(basic)"))
    }

    @Test("A wrong id or secret is invalid_client, with 401")
    func wrongClient() throws {
        let (id, secret) = (service.a.accountKey.clientID, service.a.clientSecret)
        let pairs = [
            ("", ""), (id, ""), (id, "wrong"), ("wrong", secret), (id, service.b.clientSecret), (id, secret + "x"),
            (id, service.a.accountKey.clientSecretHash), (service.a.account.email, secret),
        ]
        for (id, secret) in pairs {
            expectRefusal(
                try ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"), "invalid_client", 401)
            let answer = try ask(
                "grant_type=client_credentials",
                authorization: "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString())
            expectRefusal(answer, "invalid_client", 401)
            #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
        }
        for header in ["Basic", "Basic !!!", "Basic \(Data("nocolon".utf8).base64EncodedString())", "Basic /w=="] {
            expectRefusal(try ask("grant_type=client_credentials", authorization: header), "invalid_client", 401)
        }
    }

    @Test(
        "Other grants and other bodies",
        arguments: [
            ("grant_type=password&username=a&password=b", "unsupported_grant_type"),
            ("grant_type=", "unsupported_grant_type"),
            ("", "invalid_request"), ("client_id=1", "invalid_request"), ("{\"grant_type\":\"x\"}", "invalid_request"),
            ("grant_type=%zz", "invalid_request"), ("grant_type=a b", "invalid_request"), ("\u{0}", "invalid_request"),
            ("grant_type=%ff", "invalid_request"), ("&&&===", "invalid_request"),
        ])
    func otherGrants(form: String, kind: String) throws {
        expectRefusal(try ask(form), kind)
    }

    @Test("A form is read up to 64 KiB")
    func hugeForm() throws {
        let form = "grant_type=password&x="
        let padding = String(repeating: "x", count: 65_536 - form.utf8.count)
        expectRefusal(try ask(form + padding), "unsupported_grant_type")
        try ask(form + padding + "x").expectRefusal(413, "INVALID_ARGUMENT")
    }

    @Test("A token ends after an hour, and with 401, upon which SDKs ask for another")
    func expiry() throws {
        let token = try #require(try ask(assertion: try assertion()).string("access_token"))
        func list() throws -> TestResponse {
            try service.call(
                .get, "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(token)"])
        }
        service.time.advance(seconds: 3599)
        #expect(try list().status == 200)
        service.time.advance(seconds: 1)
        try list().expectRefusal(
            401, "UNAUTHENTICATED", "This access token has expired; get a new one from /token.")
    }

    @Test("A revoked key that is otherwise right is told that it was revoked, a wrong one is not")
    func revoked() throws {
        let (id, secret) = (service.a.accountKey.clientID, service.a.clientSecret)
        let token = try service.accessToken(service.a)
        var key = service.a.accountKey
        key.endsMicroseconds = service.time.now.microseconds
        try service.services.metadata.write { try $0.update(key) }
        let text = "This key of a service account was revoked; get a new one (hearth keys account add-key)."
        let answer = try ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)")
        expectRefusal(answer, "invalid_client", 401)
        #expect(answer.string("error_description") == text)
        let wrong = try ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)x")
        #expect(wrong.string("error_description") == "The client id or secret is not known here.")
        try service.hearth(.get, "projects", token: token).expectRefusal(401, "UNAUTHENTICATED", text)
    }
}
