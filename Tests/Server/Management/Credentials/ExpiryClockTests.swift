import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Synchronization
import Testing

@testable import HearthManagementTestSupport

/// A time of day that can be set, beside a clock that cannot.
private final class SettableClock: Sendable {
    private let state = Mutex((passed: Int64(0), shift: Int64(0)))

    var reading: ClockReading {
        state.withLock { state in
            ClockReading(
                wallMicroseconds: TestClock.start.microseconds + (state.passed + state.shift) * 1_000_000,
                monotonicMicroseconds: state.passed * 1_000_000)
        }
    }

    func pass(seconds: Int64) { state.withLock { $0.passed += seconds } }
    /// How far the time of day is off.
    func set(shift: Int64) { state.withLock { $0.shift = shift } }
}

@Suite("A clock that is set") final class ExpiryClockTests {
    private static let day: Int64 = 86_400

    private let clocks = SettableClock()
    private let service: TestService
    /// The service that runs now.
    private let running: Mutex<HearthService>

    init() throws {
        service = try TestService { [clocks] in Self.give(clocks, to: &$0) }
        running = Mutex(service.handler)
        #expect(try service.handler.beginClock() == [])
    }

    private static func give(_ clocks: SettableClock, to services: inout TestServices) {
        services.now = { Timestamp(microseconds: clocks.reading.wallMicroseconds) }
        services.clock = ServerClock { clocks.reading }
    }

    /// Ends the service, and begins another one over the same store, as a restart does. What that says of the clock.
    ///
    /// - Parameter shift: how far the time of day is off from then on.
    private func restart(shift: Int64? = nil) throws -> [String] {
        running.withLock { _ = $0.tickClock(isLast: true) }
        if let shift { clocks.set(shift: shift) }
        var services = service.services
        Self.give(clocks, to: &services)
        let next = HearthService(services)
        running.withLock { $0 = next }
        return try next.beginClock()
    }

    private func watch() -> [String] { running.withLock { $0.tickClock() } }

    private func call(
        _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders = [:], _ json: String = ""
    ) throws -> TestResponse {
        let head = try RequestHead(
            method: method, target: target, headers: headers, contentLength: UInt64(json.utf8.count),
            remoteAddress: "127.0.0.1", id: "request-1")
        let handler = running.withLock { $0 }
        return try #require(InProcessCall.run(handler, head, body: Array(json.utf8), pieceBytes: 1000))
    }

    private func owner(_ method: HTTPMethod, _ path: String, _ json: String = "") throws -> TestResponse {
        let token = try signIn(service.a.accountKey.clientID, service.a.clientSecret)
        let answer = try call(
            method, "/hearth/v1/projects/project-a/\(path)", ["Authorization": "Bearer \(token)"], json)
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    private func signIn(_ id: String, _ secret: String) throws -> String {
        let form = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"
        let answer = try call(.post, "/token", [:], form)
        return answer.string("access_token") ?? "\(answer.status)"
    }

    private func models(_ token: String) throws -> Int {
        try call(.get, "/v1beta2/projects/project-a/models", ["Authorization": "Bearer \(token)"]).status
    }

    private func register(_ key: String) throws -> Int {
        try call(
            .post, "/v1/projects/project-a/installations", ["x-goog-api-key": key],
            #"{"appId":"\#(service.a.apiKeyRecord.appID)"}"#
        ).status
    }

    private func token(_ lifetime: String = "") throws -> (id: String, text: String) {
        let made = try owner(.post, "adminTokens", #"{"name":"t","role":"viewer"\#(lifetime)}"#)
        return (try #require(made.string("id")), try #require(made.string("token")))
    }

    @Test("Ended is ended, although the clock goes back, before and after a restart")
    func ended() throws {
        let token = try token()
        let account = try owner(.post, "serviceAccounts", #"{"name":"acc","role":"viewer"}"#)
        let (id, secret) = (account.string("client_id") ?? "", account.string("client_secret") ?? "")
        let access = try signIn(id, secret)
        let app = service.a.apiKeyRecord.appID
        let keys = try ["k1", "k2"].map { name in
            let made = try owner(.post, "apiKeys", #"{"name":"\#(name)","appId":"\#(app)"}"#)
            return (id: made.string("id") ?? "", key: made.string("key") ?? "")
        }
        func statuses() throws -> [Int] {
            try [
                models(token.text), models(access), models(signIn(id, secret)), register(keys[0].key),
                register(keys[1].key),
            ]
        }
        #expect(try statuses() == [200, 200, 200, 200, 200])
        clocks.pass(seconds: 100)
        _ = try owner(.delete, "adminTokens/\(token.id)")
        _ = try owner(.delete, "serviceAccounts/acc@project-a.iam.hearth.invalid")
        _ = try owner(.delete, "apiKeys/\(keys[0].id)")
        _ = try owner(.post, "apiKeys/\(keys[1].id):rotate", #"{"graceSeconds":0}"#)
        let refused = [401, 401, 401, 403, 403]
        #expect(try statuses() == refused)
        for shift in [-50, -7200, -400 * Self.day, 20 * 365 * Self.day, -90] as [Int64] {
            clocks.set(shift: shift)
            #expect(try statuses() == refused, "\(shift) s off, before a look at the clock")
            _ = watch()
            #expect(try statuses() == refused, "\(shift) s off")
            _ = try restart()
            #expect(try statuses() == refused, "\(shift) s off, after a restart")
        }
    }

    /// A doubted time makes no facts; a person does.
    @Test("What somebody ends while the clock is ahead of its planned end has ended when the clock is right again")
    func endedAhead() throws {
        let planned = try token(#","lifetimeSeconds":\#(60 * Self.day)"#)
        let key = try owner(.post, "apiKeys", #"{"name":"k","appId":"\#(service.a.apiKeyRecord.appID)"}"#)
        let (id, text) = (try #require(key.string("id")), try #require(key.string("key")))
        _ = try owner(.post, "apiKeys/\(id):rotate", #"{"graceSeconds":\#(20 * Self.day)}"#)
        #expect(try models(planned.text) == 200)
        #expect(try register(text) == 200)
        clocks.set(shift: 400 * Self.day)
        _ = watch()
        _ = try owner(.delete, "adminTokens/\(planned.id)")
        _ = try owner(.delete, "apiKeys/\(id)")
        clocks.set(shift: 0)
        _ = watch()
        #expect(try models(planned.text) == 401)
        #expect(try register(text) == 403)
        _ = try restart(shift: -400 * Self.day)
        #expect(try models(planned.text) == 401)
        #expect(try register(text) == 403)
    }

    @Test("A planned end that has come has come, although the clock goes back", arguments: [-90, -7200, -400 * day])
    func planned(shift: Int64) throws {
        let token = try token(#","lifetimeSeconds":60"#)
        let key = try owner(.post, "apiKeys", #"{"name":"k","appId":"\#(service.a.apiKeyRecord.appID)"}"#)
        let (id, text) = (key.string("id") ?? "", key.string("key") ?? "")
        _ = try owner(.post, "apiKeys/\(id):rotate", #"{"graceSeconds":60}"#)
        clocks.pass(seconds: 59)
        #expect(watch() == [])
        #expect(try models(token.text) == 200 && register(text) == 200)
        clocks.pass(seconds: 1)
        // No look in between.
        clocks.set(shift: shift)
        #expect(try models(token.text) == 401 && register(text) == 403)
        _ = watch()
        #expect(try models(token.text) == 401 && register(text) == 403)
        _ = try restart()
        #expect(try models(token.text) == 401 && register(text) == 403)
    }

    @Test("What was given a minute while the clock was far ahead has no more than that when it is right again")
    func plannedAhead() throws {
        clocks.set(shift: 400 * Self.day)
        _ = watch()
        let token = try token(#","lifetimeSeconds":60"#)
        #expect(try models(token.text) == 200)
        clocks.set(shift: 0)
        _ = watch()
        #expect(try models(token.text) == 200)
        clocks.pass(seconds: 60)
        _ = watch()
        let answer = try call(
            .get, "/v1beta2/projects/project-a/models", ["Authorization": "Bearer \(token.text)"])
        answer.expectRefusal(
            401, "UNAUTHENTICATED", "This admin token has ended; get a new one (hearth keys token create).")
    }

    @Test("A clock that is years ahead for a moment ends nothing for good, and locks nobody out afterwards")
    func glitch() throws {
        let token = try token(#","lifetimeSeconds":864000"#)
        let access = try signIn(service.a.accountKey.clientID, service.a.clientSecret)
        clocks.set(shift: 20 * 365 * Self.day)
        #expect(watch().count == 1)
        #expect(try models(token.text) == 401 && models(access) == 401)
        let ahead = try signIn(service.a.accountKey.clientID, service.a.clientSecret)
        #expect(try models(ahead) == 200)
        clocks.set(shift: 0)
        #expect(watch().count == 1)
        #expect(try models(token.text) == 200 && models(access) == 200)
        #expect(try models(ahead) == 401, "it would be good for twenty years")
        #expect(try models(signIn(service.a.accountKey.clientID, service.a.clientSecret)) == 200)
    }

    @Test(
        "A start with a clock that is ahead ends nothing for good where it is put right within ten minutes",
        arguments: [10, 25] as [Int64])
    func startAhead(lifetimeDays: Int64) throws {
        let token = try token(#","lifetimeSeconds":\#(lifetimeDays * Self.day)"#)
        _ = watch()
        _ = try restart(shift: 25 * Self.day - 30)
        clocks.pass(seconds: 4)
        _ = watch()
        clocks.set(shift: 0)
        _ = watch()
        for _ in 0..<40 {
            clocks.pass(seconds: 60)
            _ = watch()
            #expect(try models(token.text) == 200)
        }
        clocks.pass(seconds: lifetimeDays * Self.day)
        #expect(try models(token.text) == 401)
        clocks.set(shift: -90)
        _ = watch()
        #expect(try models(token.text) == 401)
    }

    @Test("A start long after the last one makes facts of what ended in between once ten minutes are over")
    func rest() throws {
        let token = try token(#","lifetimeSeconds":60"#)
        _ = watch()
        _ = try restart(shift: 3 * Self.day)
        #expect(try models(token.text) == 401)
        clocks.pass(seconds: 600)
        _ = watch()
        clocks.set(shift: -3 * Self.day)
        _ = watch()
        #expect(try models(token.text) == 401)
        let listed = try owner(.get, "adminTokens")
        #expect(listed.text.contains(#""ended":true"#), "\(listed.text)")
    }

    @Test("A clock that is years ahead for long, and is put right then, locks nobody out")
    func longAhead() throws {
        let endless = try token()
        clocks.set(shift: 20 * 365 * Self.day)
        _ = watch()
        clocks.pass(seconds: 3600)
        _ = watch()
        clocks.set(shift: 0)
        for _ in 0..<2 {
            _ = watch()
            #expect(try models(endless.text) == 200)
            #expect(try models(token(#","lifetimeSeconds":60"#).text) == 200)
            #expect(try models(signIn(service.a.accountKey.clientID, service.a.clientSecret)) == 200)
            _ = try restart()
        }
    }

    @Test("An expired access token and link stay expired, although the clock goes back, also over a restart")
    func signed() throws {
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let access = try signIn(service.a.accountKey.clientID, service.a.clientSecret)
        let link = try service.link("flowers")
        #expect(try models(access) == 200 && call(.get, link).status == 200)
        clocks.pass(seconds: 3600)
        #expect(watch() == [])
        clocks.set(shift: -7200)
        for _ in 0..<2 {
            #expect(try models(access) == 401 && call(.get, link).status == 400)
            #expect(try models(signIn(service.a.accountKey.clientID, service.a.clientSecret)) == 200)
            _ = try restart()
        }
    }

    @Test("Each jump is told once, with both times; a start with a clock that is behind says what to do")
    func told() throws {
        clocks.pass(seconds: 10)
        #expect(watch() == [])
        clocks.set(shift: -7200)
        let back = watch()
        #expect(back.count == 1 && back[0].contains("set back by 7200 s"), "\(back)")
        #expect(back[0].contains("from 2027-01-15T08:00:10.000123Z to 2027-01-15T06:00:10.000123Z"), "\(back)")
        #expect(watch() == [])
        clocks.set(shift: 0)
        #expect(watch().first?.contains("set ahead by 7200 s") == true)
        _ = try owner(.post, "adminTokens", #"{"name":"t","role":"viewer"}"#)
        clocks.set(shift: -7200)
        let start = try restart()
        #expect(start.count == 1 && start[0].contains("Set the clock right"), "\(start)")
        #expect(try restart().first?.contains("Set the clock right") == true, "as long as the newest record is later")
    }

    @Test("A clock that is set back makes no busy caller of one that is not")
    func limits() throws {
        let service = try TestService { [clocks] in
            Self.give(clocks, to: &$0)
            $0.limits.rates.address = .init(requestsPerMinute: 60, burst: 5)
        }
        func ask() throws -> Int { try service.call(.post, "/token").status }
        #expect(try ask() == 400)
        clocks.set(shift: -7200)
        for _ in 0..<4 { #expect(try ask() == 400) }
        #expect(try ask() == 429)
    }
}
