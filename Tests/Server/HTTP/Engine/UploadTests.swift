import Glibc
import HearthHTTP
import Testing

extension ServerSuites {
    struct UploadTests {
        private typealias Events = EventRecorder<RecordingReceiver.Event>

        private static let chunkedHead = "POST /u HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

        private static func head(_ length: Int, _ fields: String = "") -> String {
            "POST /u HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\(fields)\r\n"
        }

        private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
            Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        }

        // In processes of their own: other suites use memory meanwhile.
        @Test func aLargeUploadPassesThroughInBoundedMemory() async {
            await #expect(processExitsWith: .success) { try Self.passLargeUpload(isChunked: false) }
        }

        @Test func aLargeChunkedUploadPassesThroughInBoundedMemory() async {
            await #expect(processExitsWith: .success) { try Self.passLargeUpload(isChunked: true) }
        }

        private static func passLargeUpload(isChunked: Bool) throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, limitBytes: .max)) }
            let client = try server.connect()
            let piece = [UInt8](repeating: 7, count: 64 * 1024)
            let wire = isChunked ? chunk(piece) : piece
            let memory = PeakMemory()
            try client.send(isChunked ? chunkedHead : head(3200 * piece.count))
            for _ in 0..<3200 { try client.send(wire) }
            if isChunked { try client.send("0\r\n\r\n") }
            #expect(try client.reply().text == "\(3200 * 64 * 1024)")
            #expect(events.entries == [.finished(3200 * 64 * 1024)])
            if let grown = memory.grownBytes { #expect(grown < 16 * 1024 * 1024) }
        }

        @Test func aRefusedUploadIsAnsweredBeforeItsBodyAndWithoutAReset() throws {
            let server = try TestServer { _ in .answer(.text("who are you", status: 401)) }
            let client = try server.connect()
            try client.send(Self.head(50_000_000))
            let piece = [UInt8](repeating: 1, count: 1_000_000)
            for _ in 0..<20 { try client.send(piece) }
            let reply = try client.reply()
            #expect(reply.status == 401)
            #expect(reply.headers["connection"]?.lowercased() == "close")
            #expect(reply.text == "who are you")
        }

        @Test func anAnnouncedLengthOverTheLimitIsRefusedAtOnce() throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, limitBytes: 10)) }
            #expect(try server.connect().exchange(Self.head(11)).status == 413)
            #expect(events.entries == [.abandoned])
            #expect(try server.connect().exchange(Self.head(10) + "0123456789").text == "10")
        }

        @Test func aChunkedBodyOverTheLimitIsRefusedWhileItArrives() throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, limitBytes: 10)) }
            let client = try server.connect()
            try client.send(Self.chunkedHead)
            try client.send(Self.chunk(Array("0123456789".utf8)))
            try client.send(Self.chunk(Array("x".utf8)))
            let reply = try client.reply()
            #expect(reply.status == 413)
            #expect(reply.headers["connection"] == "close")
            #expect(reply.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(client.isClosedByServer())
            #expect(events.entries == [.abandoned])
            let entry = try #require(server.log.next())
            #expect(entry.status == 413)
        }

        @Test func aChunkedBodyOfExactlyTheLimitIsTaken() throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, limitBytes: 10)) }
            let client = try server.connect()
            try client.send(Self.chunkedHead)
            try client.send(Self.chunk(Array("0123456789".utf8)))
            #expect(try client.exchange("0\r\n\r\n").text == "10")
        }

        @Test func aReceiversRefusalIsAnsweredWhileTheBodyArrives() throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, refuseAfter: 3)) }
            let client = try server.connect()
            try client.send(Self.head(1_000_000) + "abcd")
            let reply = try client.reply()
            #expect(reply.status == 409)
            #expect(reply.text == "no more")
            #expect(client.isClosedByServer())
            #expect(events.entries == [.abandoned])
        }

        @Test func aRefusalOnTheLastBytesKeepsTheConnection() throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, refuseAfter: 3)) }
            let client = try server.connect()
            #expect(try client.exchange(Self.head(4) + "abcd").status == 409)
            #expect(try client.exchange(Self.head(2) + "ab").text == "2")
            #expect(events.entries == [.abandoned, .finished(2)])
        }

        @Test func bufferedBodiesHaveTheirLimit() throws {
            let server = try TestServer { _ in
                .buffered(limitBytes: 4) { _, body in .respond(.text("\(body.count)")) }
            }
            #expect(try server.connect().exchange(Self.head(4) + "1234").text == "4")
            #expect(try server.connect().exchange(Self.head(5)).status == 413)
            #expect(try server.connect().exchange(Self.chunkedHead + "5\r\n12345\r\n").status == 413)
        }

        @Test func receiversWithoutALimitHaveTheServers() throws {
            let events = Events()
            let server = try TestServer(limits: .forTests.with { $0.bodyBytes = 6 }) { _ in
                .streaming(RecordingReceiver(events))
            }
            #expect(try server.connect().exchange(Self.head(6) + "123456").text == "6")
            #expect(try server.connect().exchange(Self.head(7)).status == 413)
        }

        @Test func continueIsSentOnlyToThoseWhoseBodyIsWanted() throws {
            let server = try TestServer { head in
                head.path == "/u"
                    ? .buffered(limitBytes: 3) { _, body in .respond(.text("\(body.count)")) }
                    : .answer(.text("no", status: 403))
            }
            let client = try server.connect()
            #expect(try client.exchange(Self.head(3, "Expect: 100-continue\r\n")).status == 100)
            #expect(try client.exchange("abc").text == "3")
            #expect(try client.exchange(Self.head(4, "Expect: 100-continue\r\n")).status == 413)
            let other = "PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            #expect(try server.connect().exchange(other).status == 403)
        }

        @Test(arguments: [false, true])
        func aPeerThatLeavesMidBodyAbandonsTheReceiverOnce(isReset: Bool) throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events, reportsPieces: true)) }
            let client = try server.connect()
            try client.send(Self.head(100) + "abc")
            #expect(events.next() == .received)
            if isReset { client.reset() } else { client.endSending() }
            #expect(events.next() == .abandoned)
            let entry = try #require(server.log.next())
            #expect(entry.status == nil)
            #expect(!entry.isComplete)
            server.server.stop()
            #expect(events.entries == [.received, .abandoned])
        }

        /// The end arrives together with the last bytes, while the server is busy with those before.
        @Test(arguments: ["", "def"], [false, true])
        func aPeerThatLeavesWhileTheServerIsBusyAbandonsTheReceiver(last: String, isStopping: Bool) throws {
            let events = Events()
            let permission = CountingSemaphore()
            let server = try TestServer(limits: .forTests.with { $0.stopGraceSeconds = 60 }) { _ in
                .streaming(RecordingReceiver(events, reportsPieces: true, permission: permission))
            }
            let client = try server.connect()
            try client.send(Self.head(100) + "abc")
            #expect(events.next() == .received)
            try client.send(last)
            client.endSending()
            if isStopping {
                let stopped = server.stopInBackground()
                while server.port != 0 { sched_yield() }
                permission.send()
                #expect(stopped.wait())
            } else {
                permission.send()
            }
            if !last.isEmpty { #expect(events.next() == .received) }
            #expect(events.next() == .abandoned)
            let entry = try #require(server.log.next())
            #expect(entry.status == nil)
            #expect(entry.endReason == nil)
        }

        @Test(arguments: ["zz\r\n", "\r\n", "fffffffffffffffff\r\n", "3\r\nabcde\r\n"])
        func malformedChunksAbandonTheReceiver(bytes: String) throws {
            let events = Events()
            let server = try TestServer { _ in .streaming(RecordingReceiver(events)) }
            let reply = try server.connect().exchange(Self.chunkedHead + bytes)
            #expect([400, 413].contains(reply.status))
            #expect(events.next() == .abandoned)
            #expect(events.entries == [.abandoned])
        }
    }
}
