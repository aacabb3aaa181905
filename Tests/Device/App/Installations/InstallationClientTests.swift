import Foundation
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthApp

@Suite("The identity of an installation and its token")
struct InstallationClientTests {
    private let device: TestDevice
    private let client: InstallationClient
    private var requests: [TransportRequest] { device.transport.requests }

    init() throws {
        device = try TestDevice()
        client = device.client()
    }

    private func token(forcing: Bool = false) throws -> String { try client.authToken(forcingRefresh: forcing).token }

    @Test("The id needs no network and stays")
    func identifier() throws {
        let id = try client.installationID()
        #expect(try client.installationID() == id)
        #expect(requests.isEmpty)
    }

    @Test("Registered once; the stored token serves until less than an hour is left")
    func renewal() throws {
        let id = try client.installationID()
        let first = try client.authToken(forcingRefresh: false)
        #expect(first == InstallationToken(token: "auth-1", expires: TestDevice.start + 604_800))
        device.wait(seconds: 604_800 - 3601)
        #expect(try token() == "auth-1")
        #expect(requests.count == 1)
        device.wait(seconds: 1)
        #expect(try token() == "auth-2")
        #expect(requests.count == 2)
        #expect(try token(forcing: true) == "auth-3")
        #expect(try client.installationID() == id)
    }

    @Test("Registration names the app, and the key is in a header")
    func registrationRequest() throws {
        _ = try token()
        let request = try #require(requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://models.example.com/v1/projects/demo/installations")
        #expect(request.header("x-goog-api-key") == TestDevice.options().apiKey)
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("authorization") == nil)
        #expect(request.json["fid"] as? String == (try client.installationID()))
        #expect(request.json["appId"] as? String == TestDevice.options().googleAppID)
        #expect(request.json["authVersion"] as? String == "FIS_v2")
        #expect(request.json["sdkVersion"] is String)
        #expect(request.redirects == .refuse)
    }

    @Test("Renewal sends the refresh token to the server only")
    func renewalRequest() throws {
        _ = try token()
        _ = try token(forcing: true)
        let id = try client.installationID()
        let request = try #require(requests.last)
        #expect(request.url == "https://models.example.com/v1/projects/demo/installations/\(id)/authTokens:generate")
        #expect(request.header("authorization") == "FIS_v2 refresh-1")
        #expect(!request.url.contains("refresh-1"))
    }

    @Test("An installation that the server does not know any more registers again", arguments: [401, 404])
    func forgotten(status: Int) throws {
        _ = try token()
        let old = try client.installationID()
        let server = InstallationServer()
        device.transport.answer { request in
            request.url.hasSuffix(":generate") ? .json("{}", status: status) : server.answer(request)
        }
        #expect(try token(forcing: true) == "auth-1")
        #expect(try client.installationID() != old)
        #expect(requests.map { $0.url.hasSuffix(":generate") } == [false, true, false])
    }

    @Test("The server may assign another id")
    func renamed() throws {
        let id = "c" + String(repeating: "A", count: 21)
        device.transport.answer { _ in
            .json(#"{"name":"n","fid":"\#(id)","refreshToken":"r","authToken":{"token":"t","expiresIn":"604800s"}}"#)
        }
        _ = try token()
        #expect(try client.installationID() == id)
    }

    @Test("An answer without an id confirms the device's own", arguments: ["", #""fid":"","#])
    func unnamed(field: String) throws {
        let id = try client.installationID()
        device.transport.answer { _ in
            .json(#"{"name":"n",\#(field)"refreshToken":"r","authToken":{"token":"t","expiresIn":"604800s"}}"#)
        }
        #expect(try token() == "t")
        #expect(try client.installationID() == id)
    }

    @Test(
        "A registration that would be unusable later is refused immediately",
        arguments: [
            (#"../../../etc/passwd"#, "r"), ("short", "r"), ("cAAAAAAAAAAAAAAAAAAAAA", ""),
            ("cAAAAAAAAAAAAAAAAAAAAA", "a b"),
        ])
    func unusable(fid: String, refreshToken: String) throws {
        let id = try client.installationID()
        device.transport.answer { _ in
            .json(
                #"{"name":"n","fid":"\#(fid)","refreshToken":"\#(refreshToken)","authToken":{"token":"t","expiresIn":"604800s"}}"#
            )
        }
        #expect(installationsError { _ = try token() }?.code == InstallationsErrorCode.unknown.rawValue)
        #expect(try client.installationID() == id)
    }

    @Test("The id does not wait for a running call, not even another process's")
    func withoutLock() throws {
        let id = try client.installationID()
        let lock = try FileLock.acquire(device.folder.path + "/app/installation.lock")
        #expect(try client.installationID() == id)
        withExtendedLifetime(lock) {}
    }

    @Test("A valid token does not wait for a running call either")
    func tokenWithoutLock() throws {
        _ = try token()
        let lock = try FileLock.acquire(device.folder.path + "/app/installation.lock")
        #expect(try token() == "auth-1")
        withExtendedLifetime(lock) {}
    }

    @Test(
        "A refusal is an NSError that says so, and the identity stays",
        arguments: [400, 403, 429, 500, 503, 302])
    func refused(status: Int) throws {
        _ = try token()
        let id = try client.installationID()
        device.transport.answer { _ in
            .json(#"{"error":{"code":\#(status),"message":"not today","status":"X"}}"#, status: status)
        }
        let error = try #require(installationsError { _ = try token(forcing: true) })
        #expect(error.code == InstallationsErrorCode.unknown.rawValue)
        #expect(error.localizedDescription == "The server responded with an error: not today")
        #expect(error.localizedFailureReason == error.localizedDescription)
        #expect(try client.installationID() == id)
        #expect(try token() == "auth-1", "the stored token still works")
    }

    @Test(
        "A malformed response",
        arguments: [
            "", "null", "[]", "{}", "<html>", #"{"token":"","expiresIn":"1s"}"#, #"{"token":"a\nb","expiresIn":"1s"}"#,
            #"{"token":"t","expiresIn":"soon"}"#, #"{"token":"t","expiresIn":"-1s"}"#,
            #"{"token":"t","expiresIn":"99999999999s"}"#, #"{"token":5,"expiresIn":"1s"}"#,
        ])
    func unreadable(body: String) throws {
        _ = try token()
        device.transport.answer { _ in .json(body) }
        #expect(installationsError { _ = try token(forcing: true) }?.code == InstallationsErrorCode.unknown.rawValue)
        device.transport.answer { _ in .json(body, status: 409) }
        #expect(
            installationsError { _ = try token(forcing: true) }?.localizedDescription
                == "The server responded with an error: HTTP status 409")
    }

    @Test("Offline: serverUnreachable, and `catch` matches it by name")
    func offline() throws {
        device.transport.answer { _ throws(TransportError) in
            throw TransportError(.couldNotConnect, "models.example.com does not answer")
        }
        let error = try #require(installationsError { _ = try token() })
        #expect(error.localizedDescription == "models.example.com does not answer")
        do {
            _ = try token()
            Issue.record("no error")
        } catch InstallationsErrorCode.unknown {
            Issue.record("the wrong kind")
        } catch InstallationsErrorCode.serverUnreachable {
        }
    }

    @Test("Other errors match no kind")
    func foreignErrors() {
        let foreign = NSError(domain: "elsewhere", code: InstallationsErrorCode.unknown.rawValue)
        #expect(!(InstallationsErrorCode.unknown ~= foreign))
        #expect(!(InstallationsErrorCode.unknown ~= CancellationError()))
    }

    @Test(
        "Incomplete options: invalidConfiguration that names the missing values, but the id still works",
        arguments: [
            ("projectID", ""), ("serverURL", nil), ("apiKey", nil), ("apiKey", "B" + String(repeating: "k", count: 38)),
            ("apiKey", "A" + String(repeating: "k", count: 37)),
            ("apiKey", "A" + String(repeating: "k", count: 37) + "!"),
        ] as [(String, String?)])
    func incomplete(name: String, value: String?) throws {
        let options = TestDevice.options()
        switch name {
        case "projectID": options.projectID = value
        case "serverURL": options.serverURL = value
        default: options.apiKey = value
        }
        let client = device.client(options)
        let error = try #require(installationsError { _ = try client.authToken(forcingRefresh: false) })
        #expect(error.code == InstallationsErrorCode.invalidConfiguration.rawValue)
        #expect(error.localizedDescription.hasPrefix("Could not configure Firebase Installations due to invalid"))
        #expect(error.localizedDescription.contains("`FirebaseOptions.\(name)`"))
        #expect(try client.installationID().count == 22)
        #expect(requests.isEmpty)
    }

    @Test("A disk that cannot be written: keychain, the code for values that cannot be stored")
    func disk() throws {
        let files = FailingFiles { if case .createFile = $0 { FileError(.noSpace, "the disk is full") } else { nil } }
        let client = device.client(files: files)
        let error = installationsError { _ = try client.installationID() }
        #expect(error?.code == InstallationsErrorCode.keychain.rawValue)
        #expect(error?.localizedDescription == "the disk is full")
    }

    @Test("No token and no key in any error text")
    func secrets() throws {
        _ = try token()
        let key = try #require(TestDevice.options().apiKey)
        for answer: TransportResponse in [.json("{", status: 500), .json("{"), .json("", status: 403)] {
            device.transport.answer { _ in answer }
            device.wait(seconds: 90_000)
            let error = try #require(installationsError { _ = try token(forcing: true) })
            let text = "\(error) \(error.userInfo)"
            for secret in ["auth-1", "refresh-1", key] { #expect(!text.contains(secret)) }
        }
    }
}

/// The `NSError` of the installations domain that `body` throws; nil when it throws none.
func installationsError(_ body: () throws -> Void) -> NSError? {
    do {
        try body()
        return nil
    } catch {
        // On Linux a pure Swift error would not match here, and apps rely on it.
        let error = type(of: error) == NSError.self ? error as NSError : nil
        #expect(error?.domain == InstallationsErrorDomain)
        return error
    }
}
