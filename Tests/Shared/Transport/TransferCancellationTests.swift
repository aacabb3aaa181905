import HearthConcurrency
import HearthTestSupport
import HearthTransport
import Testing

@Suite("Cancelled transfers") struct TransferCancellationTests {
    @Test("Another thread can stop a transfer that waits for its answer")
    func stopsWaiting() throws {
        let cancellation = Cancellation()
        let server = try RawServer { connection in
            _ = connection.readRequest()
            cancellation.cancel()
            connection.waitForClose()
        }
        let error = TestClient.error(
            TransportRequest(url: server.url(), stallTimeoutSeconds: nil, cancellation: cancellation))
        #expect(error?.code == .cancelled)
        #expect(error?.isRetryable == false)
    }

    @Test("What was cancelled before it began never connects")
    func neverBegins() throws {
        let server = try RawServer(always: { _ in TestClient.answer("x") })
        let cancellation = Cancellation()
        cancellation.cancel()
        let request = TransportRequest(url: server.url(), cancellation: cancellation)
        #expect(TestClient.error(request)?.code == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test("A transfer is stopped in the middle of the body")
    func midway() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.waitForClose()
        }
        let cancellation = Cancellation()
        let request = TransportRequest(url: server.url(), stallTimeoutSeconds: nil, cancellation: cancellation)
        let error = TestClient.error(request, onBody: { _ in cancellation.cancel() })
        #expect(error?.code == .cancelled)
    }

    @Test("Cancelling the task stops its transfer in the middle of the body")
    func taskCancellation() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.waitForClose()
        }
        let (heads, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task { () -> TransportError.Code? in
            do throws(TransportError) {
                _ = try await TestClient.make().response(
                    to: TransportRequest(url: server.url(), stallTimeoutSeconds: nil),
                    onHead: { continuation.yield($0.status) })
                return nil
            } catch {
                return error.code
            }
        }
        for await status in heads {
            #expect(status == 200)
            break
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
