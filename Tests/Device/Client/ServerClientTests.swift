import HearthClient
import HearthConcurrency
import HearthDeliveryTesting
import HearthTransport
import HearthWire
import Testing

/// Answers with these statuses in turn, the last one always, and records the requests.
private final class StatusTransport: Transport {
    private let state: Lock<(statuses: [Int], requests: [TransportRequest])>

    init(_ statuses: [Int]) { state = Lock((statuses, [])) }

    var requests: [TransportRequest] { state.withLock { $0.requests } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let status = state.withLock { state in
            state.requests.append(request)
            return state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0]
        }
        return TransportResponse(status: status)
    }
}

/// Issues a new token for each renewal.
private final class CountingTokens: TokenSource {
    private let count = Lock(1)

    func identity(
        renewing: Bool, deadline: Deadline, cancellation: Cancellation?
    ) throws(ClientError) -> InstallationIdentity {
        let number = count.withLock { count in
            if renewing { count += 1 }
            return count
        }
        return InstallationIdentity(id: "id", token: "token-\(number)")
    }
}

@Suite("Calls to the server") struct ServerClientTests {
    private let clock = FakeClock()
    private let tokens = CountingTokens()
    private let call = ServerCall("POST", .hearth, "events", longestSeconds: 60, maxResponseBytes: 100)

    private func client(_ transport: any Transport) throws -> ServerClient {
        let address = try ServerAddress(
            serverURL: "https://h.example/base/", projectID: "a b", apiKey: "key", bundleID: "app.example")
        return ServerClient(address: address, transport: transport, clock: clock)
    }

    @Test("Have address, key, bundle id and token")
    func headers() throws {
        let transport = StatusTransport([200])
        _ = try client(transport).send(call, as: tokens, cancellation: nil)
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://h.example/base/hearth/v1/projects/a%20b/events")
        #expect(
            request.headers.map { "\($0.0): \($0.1)" } == [
                "x-goog-api-key: key", "x-ios-bundle-identifier: app.example",
                "x-goog-firebase-installations-auth: token-1",
            ])
        #expect(request.totalTimeoutSeconds == 60)
    }

    @Test("Renew a refused token once, and send the same call with it")
    func renewal() throws {
        let transport = StatusTransport([401, 200])
        var bodies: [String] = []
        let response = try client(transport).send(call, as: tokens, cancellation: nil) { identity in
            bodies.append(identity.token)
            return .bytes(Array(identity.token.utf8))
        }
        #expect(response.status == 200)
        #expect(bodies == ["token-1", "token-2"])
        #expect(transport.requests.count == 2)
    }

    @Test("Give up when the server refuses the renewed token as well")
    func refusedTwice() throws {
        let transport = StatusTransport([401])
        #expect(try client(transport).send(call, as: tokens, cancellation: nil).status == 401)
        #expect(transport.requests.count == 2)
    }

    @Test("End at the deadline, whichever limit is the shorter one")
    func deadline() throws {
        let transport = StatusTransport([200])
        for seconds in [20.0, 90] {
            _ = try client(transport).send(
                call, as: tokens, deadline: Deadline(seconds: seconds, clock: clock), cancellation: nil)
        }
        #expect(transport.requests.map(\.totalTimeoutSeconds) == [20, 60])
    }

    @Test("Are not sent once they are cancelled, or when the caller's body throws")
    func stopped() throws {
        struct Stop: Error {}
        let transport = StatusTransport([200])
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: ClientError.self) { try client(transport).send(call, as: tokens, cancellation: cancellation) }
        let error = #expect(throws: ClientError.self) {
            try client(transport).send(call, as: tokens, cancellation: nil) { _ in throw Stop() }
        }
        #expect(error?.cause is Stop)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "May succeed later after some statuses",
        arguments: [
            (200, false), (304, false), (400, false), (401, false), (408, true), (429, true), (500, true), (503, true),
        ])
    func busy(status: Int, isBusy: Bool) { #expect(TransportResponse(status: status).isBusy == isBusy) }

    @Test("Name the options that are missing")
    func missingOptions() {
        let error = #expect(throws: MissingOptions.self) {
            try ServerAddress(serverURL: "", projectID: "p", apiKey: nil, bundleID: "b")
        }
        #expect(error?.names == ["apiKey", "serverURL"])
        #expect(error?.description.contains("`FirebaseOptions.apiKey`, `FirebaseOptions.serverURL`") == true)
    }
}
