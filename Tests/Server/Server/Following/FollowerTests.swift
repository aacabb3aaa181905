import Dispatch
import Foundation
import HearthCatalog
import HearthConcurrency
import HearthManagement
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthServer

/// A whole follower, what it sends on to its main server, and what it does not.
@Suite(.serialized) struct FollowerTests {
    private let folder: TemporaryFolder
    private let main: LyingMainServer
    private let seen = Calls()

    /// The paths of the calls that reached the main server.
    private final class Calls: Sendable {
        private let paths = Lock<[String]>([])

        func append(_ path: String) { paths.withLock { $0.append(path) } }
        func count(_ part: String) -> Int { paths.withLock { $0.count { $0.contains(part) } } }
    }

    init() throws {
        folder = try TemporaryFolder()
        main = try LyingMainServer(folder.path + "/main")
    }

    /// - Parameter lie: also decides what a line does that breaks.
    private func follower(
        _ flags: [String: String] = [:], pollSeconds: Double = 3600,
        lie: @escaping LyingMainServer.Lie = { _, answer in answer }
    ) throws -> RunningFollower {
        main.tell { [seen] path, answer in
            seen.append(path)
            return lie(path, answer)
        }
        return try RunningFollower(of: main.url, folder.path + "/site", flags, pollSeconds: pollSeconds)
    }

    private func count(_ part: String) -> Int { seen.count(part) }

    private func wait(_ condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < deadline { usleep(10_000) }
        #expect(condition())
    }

    @Test func aFirstStartWithARefusedTokenEnds() throws {
        let flags = ["data": folder.path + "/site", "port": "0", "log-level": "error"]
        let configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        let options = FollowOptions(mainURL: main.url, token: "hearth_wrong_token", transport: CurlTransport())
        let error = #expect(throws: ServerStartError.self) { try Follower(configuration, options).start() }
        #expect(error?.description.contains("--role mirror") == true)
    }

    /// A follower on the machine of its main server may share its settings.
    @Test func anAddressForPeopleIsNotUsed() throws {
        let taken = String(main.url.trimmingPrefix("http://"))
        let follower = try follower(["admin-address": taken])
        #expect(try !follower.register().fid.isEmpty)
    }

    @Test func aFileOrACallThatFailsIsNoOutage() throws {
        let isBroken = Lock(true)
        let follower = try follower { path, answer in
            var answer = answer
            if path.contains("/files/") { answer.status = 500 }
            if path.hasSuffix("/events"), isBroken.withLock({ $0 }) { answer.status = 0 }
            return answer
        }
        let device = try follower.register()
        // More than the one that it may ask for before its second question for the state.
        wait { count("/files/") >= 3 }
        #expect(try follower.report(device).status == 503, "the line broke")
        #expect(count("/events") >= 1)
        isBroken.withLock { $0 = false }
        #expect(try follower.report(device).status == 200)
    }

    /// Revocations are heard while a list of installations takes long.
    @Test func itAsksForChangesWhileInstallationsArrive() throws {
        let goOn = DispatchSemaphore(value: 0)
        defer { goOn.signal() }
        let follower = try follower(pollSeconds: 0.05) { path, answer in
            guard path.contains("/installations") else { return answer }
            goOn.wait()
            goOn.signal()
            return answer
        }
        defer { withExtendedLifetime(follower) {} }
        wait { count("/mirror/installations") == 1 }
        let before = count("/mirror")
        wait { count("/mirror") >= before + 5 }
        #expect(count("/mirror/installations") == 1)
    }

    /// Its record must not come back from either server.
    @Test func aDeletionReachesBothServers() throws {
        let isBroken = Lock(true)
        let follower = try follower { path, answer in
            var answer = answer
            // Only that to the call that adds some.
            let isAdded = path.hasSuffix("/mirror/installations") && answer.headers["Cache-Control"] == nil
            if isAdded, isBroken.withLock({ $0 }) { answer.status = 500 }
            return answer
        }
        let device = try follower.register()
        let store = try SQLiteMetadataStore(path: folder.path + "/main/hearth.sqlite")
        func known() throws -> [String] { try store.read { try $0.installations(after: .start, limit: 9).map(\.fid) } }
        // The main server may not know it yet, so its answer would mean nothing.
        let early = try follower.delete(device)
        #expect(early.status == 503 && early.headers["Retry-After"] != nil)
        #expect(try follower.renew(device.fid, device.refresh).status == 200)
        isBroken.withLock { $0 = false }
        let other = try follower.register()
        #expect(try follower.delete(device).status == 200)
        #expect(try known() == [other.fid])
        #expect(try follower.renew(device.fid, device.refresh).status == 401)
        #expect(try follower.delete(other).status == 200)
        #expect(try known() == [])
    }

    /// As its id does.
    @Test func aProjectsNumberNamesItsDevices() throws {
        let follower = try follower()
        let device = try follower.register()
        let store = try SQLiteMetadataStore(path: folder.path + "/main/hearth.sqlite")
        let number = try store.read { try $0.projects()[0].number }
        #expect(try follower.renew(device.fid, device.refresh, project: "\(number)").status == 200)
        #expect(count("authTokens") == 0, "the follower knows the device and asks nobody")
        #expect(try follower.delete(device, project: "\(number)").status == 200)
        #expect(try follower.renew(device.fid, device.refresh).status == 401)
        #expect(count("authTokens") == 1, "the follower has forgotten it, and asks")
    }

    @Test func callsThatAreSentOnPassTheSameChecksAsOthers() throws {
        let follower = try follower()
        let device = try follower.register()
        #expect(try follower.report(device, apiKey: nil).status == 403)
        #expect(try follower.report(.init(fid: device.fid, token: "wrong", refresh: "")).status == 401)
        #expect(try follower.renew("c" + String(repeating: "z", count: 21), apiKey: nil).status == 403)
        #expect(count("/events") == 0 && count("authTokens") == 0)
        #expect(try follower.report(device).status == 200)
        #expect(count("/events") == 1)
    }

    @Test func unknownDevicesAreLimitedBeforeTheMainServerIsAsked() throws {
        let follower = try follower(["address-requests-per-minute": "1", "address-burst": "2"])
        let statuses = try (0..<8).map { _ in try follower.renew("c" + String(repeating: "z", count: 21)).status }
        #expect(statuses.contains(401) && statuses.contains(429), "\(statuses)")
        #expect(count("authTokens") < 8)
        #expect(count("authTokens") == statuses.count { $0 != 429 })
    }

    @Test func webPagesMayReadAnswersThatWereSentOn() throws {
        let follower = try follower()
        let device = try follower.register()
        let answer = try follower.report(device, origin: "https://page.example")
        #expect(answer.status == 200)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        let refused = try follower.report(device, apiKey: nil, origin: "https://page.example")
        #expect(refused.headers["Access-Control-Allow-Origin"] == "*")
    }
}

/// A follower. Stops when the last reference goes.
///
/// `@unchecked Sendable`: only the test's thread uses it.
private final class RunningFollower: @unchecked Sendable {
    struct Device {
        let fid: String
        let token: String
        let refresh: String
    }

    private static let project = "hearth-default"
    private let follower: Follower
    private let url: String
    private let transport = CurlTransport()

    init(of main: String, _ folder: String, _ flags: [String: String], pollSeconds: Double) throws {
        let flags = flags.merging(["data": folder, "port": "0", "log-level": "error"]) { first, _ in first }
        var configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        configuration.drainSeconds = 0
        var options = FollowOptions(mainURL: main, token: LyingMainServer.token, transport: CurlTransport())
        options.pollSeconds = pollSeconds
        follower = try Follower(configuration, options)
        url = try #require(try follower.start())
    }

    deinit { follower.stop() }

    private func call(
        _ path: String, _ headers: [(String, String)], _ body: String, apiKey: String? = LyingMainServer.apiKey,
        method: String = "POST"
    ) throws -> TransportResponse {
        var request = TransportRequest(method: method, url: url + path)
        request.headers = headers + [("Content-Type", "application/json")]
        if let apiKey { request.headers.append(("x-goog-api-key", apiKey)) }
        request.body = .bytes(Array(body.utf8))
        return try transport.send(request)
    }

    func register() throws -> Device {
        let answer = try call(
            "/v1/projects/\(Self.project)/installations", [],
            #"{"appId": "\#(LyingMainServer.appID)", "authVersion": "FIS_v2", "sdkVersion": "test"}"#,
            apiKey: LyingMainServer.apiKey)
        let body = try WireJSON.decode(InstallationBodies.CreateResponse.self, from: answer.body)
        return Device(fid: try #require(body.fid), token: body.authToken.token, refresh: body.refreshToken)
    }

    func renew(
        _ fid: String, _ refreshToken: String = "wrong", project: String = RunningFollower.project,
        apiKey: String? = LyingMainServer.apiKey
    ) throws -> TransportResponse {
        try call(
            "/v1/projects/\(project)/installations/\(fid)/authTokens:generate",
            [("Authorization", "FIS_v2 \(refreshToken)")], "{}", apiKey: apiKey)
    }

    func delete(_ device: Device, project: String = RunningFollower.project) throws -> TransportResponse {
        try call(
            "/v1/projects/\(project)/installations/\(device.fid)", [("Authorization", "FIS_v2 \(device.refresh)")], "",
            method: "DELETE")
    }

    func report(
        _ device: Device, apiKey: String? = LyingMainServer.apiKey, origin: String? = nil
    ) throws -> TransportResponse {
        try call(
            "/hearth/v1/projects/\(Self.project)/events",
            [("x-goog-firebase-installations-auth", device.token)] + (origin.map { [("Origin", $0)] } ?? []),
            """
            {"journal": "\(device.fid)", "items": [{"sequence": 1, "time": "2026-11-21T13:00:00Z", "event": {"name": "opened"}}]}
            """, apiKey: apiKey)
    }
}
