import HearthTestSupport
import Testing

@testable import HearthTransport

@Suite("Limits") struct LimitTests {
    let client = TestClient.make()

    private func request(_ server: RawServer, limit: UInt64) -> TransportRequest {
        TransportRequest(url: server.url(), maxResponseBytes: limit)
    }

    @Test("An announced answer may be as long as the limit, and no byte longer")
    func announcedLength() throws {
        let server = try RawServer(always: { _ in TestClient.answer("0123456789") })
        #expect(try client.send(request(server, limit: 10)).body.count == 10)
        var streamed = 0
        let error = TestClient.error(request(server, limit: 9), onBody: { streamed += $0.count })
        #expect(error?.code == .tooLarge)
        #expect(streamed == 0, "nothing of an answer that is too long is handed out when its length is known")
    }

    @Test("The same for an answer that does not tell its length")
    func unannouncedLength() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n")
        }
        #expect(try client.send(request(server, limit: 10)).body.count == 10)
        #expect(TestClient.error(request(server, limit: 9))?.code == .tooLarge)
    }

    @Test("An endless answer ends at the limit")
    func endlessBody() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            let piece = [UInt8](repeating: 1, count: 50_000)
            for _ in 0..<1000 {
                connection.write(piece)
            }
        }
        var received = 0
        let error = TestClient.error(request(server, limit: 200_000), onBody: { received += $0.count })
        #expect(error?.code == .tooLarge)
        #expect(received <= 200_000)
    }

    @Test("A limit of zero accepts an empty answer")
    func zeroLimit() throws {
        let server = try RawServer(always: { _ in TestClient.answer("", status: "204 No Content") })
        #expect(try client.send(request(server, limit: 0)).status == 204)
    }

    @Test(
        "Endless headers end",
        arguments: ["X-Filler: \(String(repeating: "a", count: 1000))\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"])
    func endlessHeaders(line: String) throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n")
            let piece = String(repeating: line, count: 50)
            for _ in 0..<1000 {
                connection.write(piece)
            }
        }
        let error = try #require(TestClient.error(request(server, limit: 1 << 20)))
        #expect(error.code == .tooLarge || error.code == .badResponse)
    }

    @Test("Silence in the middle of an answer is a stall")
    func stall() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.waitForClose()
        }
        let error = TestClient.error(TransportRequest(url: server.url(), stallTimeoutSeconds: 0.2))
        #expect(error?.code == .stalled)
        #expect(error?.isRetryable == true)
    }

    @Test("Silence before the answer is a stall too")
    func stallBeforeAnswer() throws {
        let server = try RawServer { $0.waitForClose() }
        #expect(TestClient.error(TransportRequest(url: server.url(), stallTimeoutSeconds: 0.2))?.code == .stalled)
    }

    @Test("The total time ends a transfer that never stalls")
    func totalTime() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.waitForClose()
        }
        let request = TransportRequest(url: server.url(), totalTimeoutSeconds: 0.2, stallTimeoutSeconds: nil)
        let error = TestClient.error(request)
        #expect(error?.code == .timedOut)
        #expect(error?.isRetryable == true)
    }

    @Test("The total time counts over all redirects")
    func totalTimeOverRedirects() throws {
        let server = try RawServer(always: { _ in
            TestClient.answer("", status: "302 Found", headers: "Location: /again\r\n")
        })
        let error = TestClient.error(
            TransportRequest(url: server.url(), totalTimeoutSeconds: 0.3, redirects: .follow(max: .max)))
        #expect(error?.code == .timedOut)
    }

    @Test("The pauses of a rate cap are no stall")
    func rateCap() throws {
        // curl hands out 16 KB at most at a time: after the first piece the pause is longer than the stall limit.
        let server = try RawServer(always: { _ in TestClient.answer(String(repeating: "x", count: 20_000)) })
        let request = TransportRequest(url: server.url(), stallTimeoutSeconds: 2, maxBytesPerSecond: 7_500)
        #expect(try client.send(request).body.count == 20_000)
    }

    /// How long the pauses are is for `RatePacerTests`; that there are any shows here, where no answer comes in time.
    @Test("A rate cap slows down and does not outlive the total time")
    func rateCapWithinTotalTime() throws {
        let server = try RawServer(always: { _ in TestClient.answer(String(repeating: "x", count: 40_000)) })
        let request = TransportRequest(url: server.url(), totalTimeoutSeconds: 0.2, maxBytesPerSecond: 1)
        #expect(TestClient.error(request)?.code == .timedOut)
    }

    @Test(
        "Times and rates that make no sense are refused",
        arguments: [0, -1, -Double.infinity, Double.nan])
    func senselessTimes(seconds: Double) {
        let url = "http://127.0.0.1:1/"
        #expect(TestClient.error(TransportRequest(url: url, connectTimeoutSeconds: seconds))?.code == .badRequest)
        #expect(TestClient.error(TransportRequest(url: url, totalTimeoutSeconds: seconds))?.code == .badRequest)
        #expect(TestClient.error(TransportRequest(url: url, stallTimeoutSeconds: seconds))?.code == .badRequest)
        #expect(TestClient.error(TransportRequest(url: url, maxBytesPerSecond: 0))?.code == .badRequest)
    }

    @Test("Huge times and rates are no overflow")
    func hugeLimits() throws {
        let server = try RawServer(always: { _ in TestClient.answer("x") })
        let request = TransportRequest(
            url: server.url(), connectTimeoutSeconds: .infinity, totalTimeoutSeconds: .greatestFiniteMagnitude,
            stallTimeoutSeconds: 1e300, maxResponseBytes: .max, maxBytesPerSecond: .max)
        #expect(try client.send(request).status == 200)
    }
}

@Suite("Stall clock") struct StallDetectorTests {
    /// What the clock says each time it is told that after `seconds` so many `bytes` had moved.
    private func strikes(
        limit: Duration?, connected: [Bool], bytes: [UInt64], seconds: [Double]
    ) -> [Bool] {
        let start = ContinuousClock.now
        var clock = StallDetector(limit: limit, now: start)
        var strikes: [Bool] = []
        for (index, second) in seconds.enumerated() {
            strikes.append(
                clock.isStalled(
                    bytesMoved: bytes[index], isConnected: connected[index], now: start + .seconds(second)))
        }
        return strikes
    }

    @Test("It strikes when nothing has moved for the limit, and starts over when something moves")
    func limit() {
        let strikes = strikes(
            limit: .seconds(10), connected: [true, true, true, true], bytes: [1, 1, 1, 2], seconds: [1, 10.9, 11, 12])
        #expect(strikes == [false, false, true, false])
    }

    @Test("Connecting is the connect timeout's business")
    func connecting() {
        let strikes = strikes(limit: .seconds(1), connected: [false, true], bytes: [0, 0], seconds: [60, 61])
        #expect(strikes == [false, true])
    }

    @Test("Without a limit it never strikes")
    func unlimited() {
        #expect(strikes(limit: nil, connected: [true], bytes: [0], seconds: [1_000_000]) == [false])
    }
}

@Suite("Rate pacer") struct RatePacerTests {
    let start = ContinuousClock.now

    @Test("Bytes wait until their time has come, counted from the start")
    func pauses() {
        var pacer = RatePacer(bytesPerSecond: 100, now: start)
        let early = pacer.pause(after: 100, now: start)
        let later = pacer.pause(after: 50, now: start + .seconds(1.25))
        let late = pacer.pause(after: 0, now: start + .seconds(9))
        #expect(early == .seconds(1))
        #expect(later == .seconds(0.25))
        #expect(late == .zero)
    }

    @Test("No cap, no pause")
    func unlimited() {
        var pacer = RatePacer(bytesPerSecond: nil, now: start)
        let pause = pacer.pause(after: .max, now: start)
        #expect(pause == .zero)
    }
}
