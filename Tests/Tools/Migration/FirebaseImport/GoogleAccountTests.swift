import Foundation
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthFirebaseImport

@Suite struct GoogleAccountTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func call(_ connection: FirebaseConnection) -> FirebaseConnection.Call {
        FirebaseConnection.Call(url: connection.url("g.example", "/list"), subject: "the list")
    }

    private func error(of signIn: ScriptedGoogle.Answer) throws -> FirebaseError? {
        let connection = FirebaseConnection(ScriptedGoogle(["/token": [signIn]]))
        let account = try TestAccount(in: folder).account()
        return #expect(throws: FirebaseError.self) { try account.json(call(connection), over: connection) }
    }

    @Test("A new token replaces one that Google no longer accepts")
    func renewal() throws {
        let google = ScriptedGoogle([
            "/token": [
                .answer(200, body: #"{"access_token":"old"}"#), .answer(200, body: #"{"access_token":"new"}"#),
            ],
            "/list": [.answer(401), .answer(200)],
        ])
        let connection = FirebaseConnection(google)
        _ = try TestAccount(in: folder).account().json(call(connection), over: connection)
        #expect(google.requests.compactMap { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
    }

    @Test("A refused sign-in says what to do, and a busy one does not blame the key")
    func refusals() throws {
        let refusal = #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#
        let invalid = try #require(try error(of: .answer(400, body: refusal)))
        #expect(invalid.code == .invalidCredentials)
        #expect(invalid.message.contains("Invalid JWT Signature. Is the key still valid?"))
        let late = try #require(
            try error(of: .answer(400, headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], body: refusal)))
        #expect(late.message.contains("The clock of this machine differs"))
        #expect(try error(of: .answer(503))?.code == .unreachable)
        #expect(try error(of: .answer(200, body: "<html>"))?.code == .malformedAnswer)
        #expect(try error(of: .answer(200, body: #"{"access_token":"a\r\nX: b"}"#))?.code == .malformedAnswer)
    }

    @Test("A real key is of no use in a rehearsal: no token is made that another server would get")
    func realKeyInRehearsal() throws {
        let google = ScriptedGoogle(.answer(200, body: #"{"access_token":"t"}"#))
        let connection = FirebaseConnection(google, endpoint: "http://127.0.0.1:1")
        let account = try TestAccount(in: folder).account()
        let error = #expect(throws: FirebaseError.self) { try account.json(call(connection), over: connection) }
        #expect(error?.code == .invalidCredentials)
        #expect(google.requests.isEmpty)
    }

    @Test(
        "The key of a Hearth server, which has the same form, signs in nowhere",
        arguments: [
            "http://127.0.0.1:8787/token", "https://hearth.example/token", "https://googleapis.com.example/token",
        ])
    func otherKey(tokenURI: String) throws {
        let google = ScriptedGoogle(.answer(200, body: #"{"access_token":"t"}"#))
        let account = try TestAccount(in: folder, tokenURI: tokenURI).account()
        let error = #expect(throws: FirebaseError.self) { try account.signIn(FirebaseConnection(google)) }
        #expect(error?.code == .invalidCredentials)
        #expect(error?.message.contains("the key of a Hearth server, or of another service, not of Google") == true)
        #expect(google.requests.isEmpty)
    }

    @Test("What is no key is an error, even if it never ends", arguments: ["/dev/zero", "/none", "/"])
    func noKey(path: String) {
        #expect(throws: FirebaseError.self) { try GoogleAccount(keyFile: path) }
        #expect(throws: FirebaseError.self) { try AppInstallation(plist: path) }
    }
}
