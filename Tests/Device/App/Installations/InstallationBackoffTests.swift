import Foundation
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthTransport
import Testing

@testable import HearthApp

@Suite("When the app may call the server again")
struct InstallationBackoffTests {
    @Test(
        "The meaning of a status",
        arguments: [
            (.create, 200, .success), (.create, 201, .success), (.renew, 204, .success), (.create, 400, .permanent),
            (.create, 403, .permanent), (.create, 404, .permanent), (.renew, 400, .permanent),
            (.renew, 403, .permanent), (.renew, 401, .neutral), (.renew, 404, .neutral), (.create, 401, .temporary),
            (.create, 429, .temporary), (.renew, 429, .temporary), (.create, 500, .temporary),
            (.renew, 503, .temporary), (.create, 302, .temporary), (.renew, 418, .temporary),
        ] as [(InstallationBackoff.Call, Int, InstallationBackoff.Verdict)])
    func verdicts(call: InstallationBackoff.Call, status: Int, expected: InstallationBackoff.Verdict) {
        #expect(InstallationBackoff.Verdict.of(call, status: status) == expected)
    }

    private func pauses(_ verdicts: [InstallationBackoff.Verdict], retryAfter: Double? = nil) -> [Double] {
        var backoff = InstallationBackoff()
        return verdicts.enumerated().map { index, verdict in
            backoff.record(verdict, retryAfterSeconds: retryAfter, random: 0.5, uptime: Double(index))
            return backoff.secondsLeft(uptime: Double(index))
        }
    }

    @Test("The backoff doubles each time, up to half an hour")
    func exponential() {
        let expected: [Double] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]
        #expect(pauses(Array(repeating: .temporary, count: 12)) == expected)
        #expect(pauses(Array(repeating: .temporary, count: 5000)).last == 1800)
    }

    @Test("A day for a failure that only a change of the settings ends")
    func permanent() { #expect(pauses([.permanent, .permanent]) == [86_400, 86_400]) }

    @Test("A success ends the backoff; a neutral answer has no effect; another kind of failure begins again")
    func sequences() {
        #expect(pauses([.temporary, .temporary, .success, .temporary]) == [2, 4, 0, 2])
        #expect(pauses([.temporary, .neutral, .temporary]) == [2, 1, 4])
        #expect(pauses([.temporary, .permanent, .temporary]) == [2, 86_400, 2])
    }

    @Test(
        "The server's request makes a backoff longer, never shorter, up to a limit",
        arguments: [(0, 2), (0.5, 2), (100, 101), (86_400, 86_401), (1e300, 86_401), (-5, 2), (.nan, 2)])
    func retryAfter(seconds: Double, expected: Double) {
        #expect(pauses([.temporary], retryAfter: seconds) == [expected])
    }

    @Test("Times use the clock that does not jump")
    func elapses() {
        var backoff = InstallationBackoff()
        backoff.record(.temporary, random: 0.5, uptime: 1000)
        #expect(backoff.secondsLeft(uptime: 1001.5) == 0.5)
        #expect(backoff.secondsLeft(uptime: 1002) == 0)
        #expect(backoff.secondsLeft(uptime: 9999) == 0)
    }
}

@Suite("A server that asks for a backoff")
struct InstallationThrottleTests {
    private let device: TestDevice
    private let client: InstallationClient
    private var requestCount: Int { device.transport.requests.count }

    init() throws {
        device = try TestDevice()
        client = device.client()
    }

    private func error(forcing: Bool = false) -> NSError? {
        installationsError { _ = try client.authToken(forcingRefresh: forcing) }
    }

    private func refuse(_ status: Int, retryAfter: String? = nil) {
        let headers = retryAfter.map { [("Retry-After", $0)] } ?? []
        device.transport.answer { _ in
            TransportResponse(
                status: status, headers: TransportHeaders(headers),
                body: Array(#"{"error":{"code":\#(status),"message":"not today","status":"X"}}"#.utf8))
        }
    }

    @Test(
        "Gets no call during the backoff, not even for a forced renewal",
        arguments: [(400, 86_400), (403, 86_400), (404, 86_400), (429, 2), (503, 2), (500, 2)] as [(Int, Int64)])
    func pause(status: Int, seconds: Int64) throws {
        refuse(status)
        #expect(error()?.code == InstallationsErrorCode.unknown.rawValue)
        let sent = requestCount
        for forcing in [false, true] {
            let held = try #require(error(forcing: forcing))
            #expect(held.code == InstallationsErrorCode.serverUnreachable.rawValue)
            #expect(held.localizedFailureReason == "Too many server requests.")
            #expect(held.localizedDescription.hasPrefix("Too many server requests."))
            #expect(held.localizedDescription.contains("not today"), "the message has the server's text")
        }
        device.wait(seconds: seconds - 1)
        #expect(error()?.code == InstallationsErrorCode.serverUnreachable.rawValue)
        #expect(requestCount == sent)
        let server = InstallationServer()
        device.transport.answer { server.answer($0) }
        device.wait(seconds: 1)
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
        #expect(try client.authToken(forcingRefresh: true).token == "auth-2", "a success ends the backoff")
    }

    @Test("Decides about the length of the backoff")
    func retryAfter() throws {
        refuse(429, retryAfter: "100")
        _ = error()
        device.wait(seconds: 100)
        _ = error()
        #expect(requestCount == 1)
        device.wait(seconds: 1)
        _ = error()
        #expect(requestCount == 2)
    }

    @Test("500 is retried once, immediately")
    func internalError() throws {
        let server = InstallationServer()
        device.transport.answer { [transport = device.transport] request in
            transport.requests.count == 1 ? .json("", status: 500) : server.answer(request)
        }
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
        #expect(requestCount == 2)
    }

    @Test("A network failure or a malformed response starts no backoff")
    func network() throws {
        device.transport.answer { _ throws(TransportError) in throw TransportError(.couldNotConnect, "no network") }
        for _ in 0..<3 { #expect(error()?.localizedDescription == "no network") }
        #expect(requestCount == 3)
        device.transport.answer { _ in .json("<html>Sign in to the hotel's network</html>") }
        #expect(error()?.code == InstallationsErrorCode.unknown.rawValue)
        let server = InstallationServer()
        device.transport.answer { server.answer($0) }
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
    }

    @Test(
        "A jump of the time of day neither ends a backoff nor makes it longer", arguments: [31_536_000.0, -31_536_000]
    )
    func timeOfDay(jump: Double) throws {
        refuse(429)
        _ = error()
        device.clock.setTimeOfDay(secondsSince1970: Double(TestDevice.start) + jump)
        _ = error()
        #expect(requestCount == 1)
        device.wait(seconds: 3)
        _ = error()
        #expect(requestCount == 2)
    }

    @Test("A valid token needs no server, and a renewal that begins again no backoff")
    func unaffected() throws {
        _ = try client.authToken(forcingRefresh: false)
        refuse(503)
        _ = error(forcing: true)
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
        device.wait(seconds: 3)
        let server = InstallationServer()
        device.transport.answer { $0.url.hasSuffix(":generate") ? .json("{}", status: 401) : server.answer($0) }
        #expect(try client.authToken(forcingRefresh: true).token == "auth-1")
        #expect(requestCount == 4)
    }
}
