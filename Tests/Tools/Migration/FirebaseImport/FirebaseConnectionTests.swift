import Foundation
import HearthConcurrency
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthFirebaseImport

@Suite struct FirebaseConnectionTests {
    private func call(_ url: String = "https://g.example/a") -> FirebaseConnection.Call {
        FirebaseConnection.Call(url: url, headers: [("Authorization", "Bearer secret-token")], subject: "the list")
    }

    private func error(_ google: ScriptedGoogle, _ url: String = "https://g.example/a", endpoint: String? = nil)
        -> FirebaseError?
    {
        #expect(throws: FirebaseError.self) { try FirebaseConnection(google, endpoint: endpoint).json(call(url)) }
    }

    @Test(
        "Nothing goes over plain http, except to a rehearsal on this machine",
        arguments: [
            "http://g.example/a", "http://169.254.169.254/latest", "http://127.0.0.1.example.com/a",
            "file:///etc/passwd",
        ])
    func plainHTTP(url: String) throws {
        let google = ScriptedGoogle(.answer(200))
        #expect(error(google, url, endpoint: "http://127.0.0.1:1")?.code == .malformedAnswer)
        #expect(error(google, "http://127.0.0.1:8080/a")?.message.contains("--endpoint") == true)
        #expect(google.requests.isEmpty)
        _ = try FirebaseConnection(google, endpoint: "http://127.0.0.1:8080").json(call("http://127.0.0.1:8080/a"))
        #expect(google.requests.count == 1)
    }

    @Test("A quota without a time to wait is asked again, later each time, and not for ever")
    func quota() throws {
        let waits = Lock([Double]())
        let google = ScriptedGoogle(.answer(429, body: #"{"error":{"message":"Quota exceeded"}}"#))
        let connection = FirebaseConnection(google, sleep: { seconds in waits.withLock { $0.append(seconds) } })
        let error = #expect(throws: FirebaseError.self) { try connection.json(call()) }
        #expect(error?.status == 429)
        #expect(error?.message.contains("Quota exceeded") == true)
        let found = waits.withLock { $0 }
        #expect(found.count == 9)
        #expect(found.allSatisfy { $0 > 0 && $0 <= 36 })
        #expect(found[0] < found[4])
    }

    @Test(
        "A senseless time to wait is none, and a very long one is left to people",
        arguments: [("-5", 2), ("soon", 2), ("0", 2), ("1000000000000", 1), ("99999", 1)])
    func retryAfter(text: String, requests: Int) {
        let google = ScriptedGoogle(.answer(429, headers: [("Retry-After", text)]), .answer(200))
        let connection = FirebaseConnection(google)
        if requests == 1 {
            let error = #expect(throws: FirebaseError.self) { try connection.json(call()) }
            #expect(error?.code == .busy)
        } else {
            #expect(throws: Never.self) { try connection.json(call()) }
        }
        #expect(google.requests.count == requests)
    }

    @Test(
        "What is no JSON is an error, whatever it is",
        arguments: ["<html>Sign in to the network</html>", "", String(repeating: "[", count: 100_000), "{\"a\":1"])
    func noJSON(body: String) {
        #expect(error(ScriptedGoogle(.answer(200, body: body)))?.code == .malformedAnswer)
    }

    @Test("An answer that cannot be followed concerns one call; a lost connection concerns all")
    func transportErrors() {
        for (code, ends) in [
            (TransportError.Code.tooLarge, false), (.insecureRedirect, false), (.redirectRefused, false),
            (.interrupted, true),
            (.tls, true), (.cancelled, true),
        ] {
            #expect(error(ScriptedGoogle(.failure(TransportError(code, "x"))))?.endsImport == ends, "\(code)")
        }
    }

    @Test(
        "Pages that begin again, or that no project has, are an error, not an endless loop",
        arguments: [
            (#"{"items":[{}],"nextPageToken":"same"}"#, 3),
            ("{\"items\":[" + String(repeating: "1,", count: 20_000) + "1]}", 2),
        ])
    func endlessPages(page: String, requests: Int) throws {
        let folder = try TemporaryFolder()
        let account = try TestAccount(in: folder).account()
        let google = ScriptedGoogle([
            "/token": [.answer(200, body: #"{"access_token":"t"}"#)],
            "/list": [.answer(200, body: page)],
        ])
        let pages = GooglePages(account: account, connection: FirebaseConnection(google))
        let error = #expect(throws: FirebaseError.self) {
            try pages.items(host: "g.example", path: "/list", member: "items", pageSize: 1, subject: "the list")
        }
        #expect(error?.code == .malformedAnswer)
        #expect(google.requests.count == requests)
    }

    @Test(
        "A redirect to another host gets no token and no key",
        arguments: ["Authorization", "X-Goog-Api-Key", "x-goog-firebase-installations-auth"])
    func redirect(header: String) throws {
        let google = ScriptedGoogle(.answer(200))
        var call = call()
        call.headers = [(header, "secret-token"), ("Accept", "*/*")]
        _ = try FirebaseConnection(google).json(call)
        let request = try #require(google.requests.first)
        let rule = RedirectRule(policy: request.redirects)
        for (place, isSent) in [("https://g.example/b", true), ("https://other.example/b", false)] {
            let head = TransportResponseHead(status: 302, headers: TransportHeaders([("Location", place)]))
            let next = try rule.next(after: OutgoingRequest(request), head: head, followed: 0)
            #expect(next.headers.contains { $0.0 == header } == isSent, "\(place)")
            #expect(next.headers.contains { $0.0 == "Accept" })
        }
    }

    @Test("A trace shows the storage's word for a refusal, and no secret of the call")
    func trace() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/trace"
        let link = "https://user:pass@s.example/o?X-Goog-Signature=abcdef"
        let google = ScriptedGoogle(
            .answer(400, body: "<?xml version='1.0'?><Error><Code>ExpiredToken</Code></Error>"),
            .answer(
                403,
                body:
                    #"{"error":{"message":"ann@example.com may not read https://s.example/o?X-Goog-Signature=abcdef"}}"#
            ))
        let connection = FirebaseConnection(google, trace: try FirebaseTrace(path: path))
        let receiver = FirebaseConnection.Receiver(
            prepare: { _ in }, onHead: { _ in }, onBody: { _ in }, hasProgressed: { false })
        #expect(try connection.send(call(), to: receiver).status == 400)
        #expect(throws: FirebaseError.self) { try connection.json(call()) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("ExpiredToken"))
        for secret in ["secret-token", "abcdef", "ann@"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(!FirebaseTrace.masked(url: link).contains("pass"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: FirebaseError.self, "a trace never replaces a file") { try FirebaseTrace(path: path) }
    }
}
