import HearthHTTP
import Testing

@testable import struct HearthHTTP.HeadLayout
@testable import enum HearthHTTP.RequestFraming

extension ServerSuites {
    /// What is read one way only, and what is answered where libmicrohttpd would refuse by itself.
    struct HeadReadingTests {
        private let seen = EventRecorder<RequestHead>()

        private func server(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> TestServer {
            try TestServer(
                limits: .forTests.with(change), errors: { .text("refused: \($0.message)", status: $0.status) }
            ) { [seen] head in
                seen.add(head)
                return .answer(.text("ok"))
            }
        }

        /// The one answer to a request, with nothing behind it.
        private func refusal(of request: [UInt8], by server: TestServer) throws -> RawClient.Reply {
            let client = try server.connect()
            try client.send(request)
            let reply = try client.reply()
            client.endSending()
            #expect(client.isClosedByServer(), "one message, and the end")
            return reply
        }

        @Test(arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +4\r\n\r\nabcd", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x4\r\n\r\nabcd", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4,4\r\n\r\nabcd", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nabcd", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\nabcd", 413),
            ("GET / HTTP/1.1\r\nHost: h\r\nCookie: \(String(repeating: "a=b;", count: 500))\r\n\r\n", 431),
            ("GET /  HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ])
        func aRefusedHeadGetsOneAnswerAndOneLogLine(request: String, status: Int) throws {
            let server = try server()
            let reply = try refusal(of: Array(request.utf8), by: server)
            #expect(reply.status == status)
            #expect(reply.text.hasPrefix("refused: "), "the service's own form of an error")
            #expect(server.log.next()?.status == status)
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
            #expect(server.log.next()?.status == 200, "there was one entry of the refused one")
        }

        @Test func aRefusalGoesToTheConnectionThatAskedForIt() throws {
            let server = try server {
                $0.threads = 1
                $0.connections = 10
            }
            let waiting = try (0..<3).map { _ in try server.connect() }
            for client in waiting { try client.send("GET /waiting HTTP/1.1\r\nHost: h\r\nContent-") }
            // Answered by the library with its own page, whose end this peer does not take at once.
            let refused = try server.connect()
            try refused.send("GET / HTTP/1.1\r\nno colon\r\n\r\n")
            #expect(try refused.reply().status == 400)
            let bad = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n"
            #expect(try refusal(of: Array(bad.utf8), by: server).text.hasPrefix("refused: "))
            for client in waiting {
                #expect(try client.exchange("Type: text/plain\r\n\r\n").status == 200)
                #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
            }
        }

        @Test(arguments: [
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX:\u{0}a\r\n\r\n", "GET /\u{0}x HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /\u{0} HTTP/1.1\r\nHost: h\r\n\r\n", "GE\u{0}T / HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\u{0}\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\u{0}6\r\n\r\nabc",
            "GET / HTTP/1.1\r\nHost: h\r\n\u{0}X: a\r\nY: b\r\n\r\n",
            "GET / HTTP/1.1\nHost: h\n\n", "GET / HTTP/1.1\r\nHost: h\nX: a\r\n\r\n",
            "GET / HTTP/1.1\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\n",
            "GET / HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{1}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{7F}\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rY: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        ])
        func aHeadThatTwoReadersCouldReadDifferentlyIsRefused(request: String) throws {
            let server = try server()
            #expect(try refusal(of: Array(request.utf8), by: server).status == 400)
            #expect(seen.entries.isEmpty, "no handler saw it")
            #expect(server.log.next()?.status == 400)
        }

        @Test func whatOnlyLooksOddIsRead() throws {
            let server = try server()
            let client = try server.connect()
            let requests = [
                "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost:h\r\nX:\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \t h \t\r\nX: a\tb\r\n\r\n", "GET /?a=b&c HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /? HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n", "GET /%41?%41 HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n",
                "GET http://h/ HTTP/1.1\r\nHost: h\r\nCookie: a=b; c=\"d\"\r\n\r\n",
            ]
            for request in requests + requests { #expect(try client.exchange(request).status == 200, "\(request)") }
            try client.send(
                Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [0xC3, 0xA4, 0x85] + Array("\r\n\r\n".utf8))
            #expect(try client.reply().status == 200)
            #expect(try client.exchange("GET / HTTP/1.0\r\n\r\n").status == 200)
        }

        /// The memory for a head grows while it arrives.
        @Test func aHeadThatComesInPiecesIsRead() throws {
            let server = try server()
            let client = try server.connect()
            for _ in 1...2 {
                let head = "GET /\(String(repeating: "a", count: 2000)) HTTP/1.1\r\nHost: h\r\n"
                try client.send(head)
                for number in 0..<20 {
                    try client.send("X-\(number): \(String(repeating: "v", count: 150))")
                    try client.send("\r\n")
                    // Another one's answer says that the piece has been looked at.
                    #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
                }
                #expect(try client.exchange("\r\n").status == 200)
            }
        }

        @Test(arguments: ["GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n", "hello\r\n\r\n", "GET / HTTP/3.0\r\nHost: h\r\n\r\n"])
        func aFirstLineThatIsNoneLeavesALogLine(request: String) throws {
            let server = try server()
            let client = try server.connect()
            try client.send(request)
            client.skipToEnd()
            let entry = try #require(server.log.next())
            #expect(entry.method == nil && !entry.isComplete)
            #expect(entry.remoteAddress == "127.0.0.1")
        }

        @Test func aConnectionOnWhichNothingCameLeavesNone() throws {
            let server = try server()
            try server.connect().endSending()
            #expect(try server.connect().exchange("GET /next HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
            #expect(server.log.next()?.target == "/next")
        }
    }
}

struct HeadLayoutTests {
    private func part(_ start: UInt, _ length: Int) -> HeadLayout.Part { HeadLayout.Part(start: start, length: length) }

    /// `GET /a HTTP/1.1`, `Host: h` and `X: y`, from byte 100 on: 16 + 9 + 6 + 2 bytes.
    private func head(
        target: UInt = 104, version: UInt = 107, host: UInt = 117, hostValue: UInt = 123, last: UInt = 126
    ) -> HeadLayout {
        var layout = HeadLayout(method: part(100, 3), target: part(target, 2), version: part(version, 8))
        layout.add(name: part(host, 4), value: part(hostValue, 1))
        layout.add(name: part(last, 1), value: part(last + 3, 1))
        return layout
    }

    @Test func partsThatLieOneBehindTheOtherArePlain() {
        #expect(head().isPlain(headBytes: 34))
    }

    @Test func anyByteMoreBetweenThemIsNoticed() {
        #expect(!head(target: 105, version: 108).isPlain(headBytes: 34), "two blanks, or a zero byte in the method")
        #expect(!head(version: 108).isPlain(headBytes: 34), "two blanks, or a zero byte in the target")
        #expect(!head(host: 116).isPlain(headBytes: 34), "a bare LF")
        #expect(!head(host: 118).isPlain(headBytes: 34), "a blank behind the version")
        #expect(!head(last: 125).isPlain(headBytes: 33), "a bare LF")
        #expect(!head(last: 127).isPlain(headBytes: 35), "a zero byte in the value")
        #expect(!head(hostValue: 121).isPlain(headBytes: 34), "a value that was moved")
        #expect(!head().isPlain(headBytes: 33), "a bare LF at the end")
        #expect(!head().isPlain(headBytes: 35))
    }

    @Test func blanksBeforeAValueAreTheProtocols() {
        var layout = HeadLayout(method: part(100, 3), target: part(104, 2), version: part(107, 8))
        layout.add(name: part(117, 4), value: part(140, 0))
        #expect(layout.isPlain(headBytes: 44))
    }

    @Test func aHeadWithoutFieldsIsPlain() {
        let layout = HeadLayout(method: part(100, 3), target: part(104, 2), version: part(107, 8))
        #expect(layout.isPlain(headBytes: 19))
        #expect(!layout.isPlain(headBytes: 18))
    }
}

struct RequestFramingTests {
    @Test func bodiesAreDelimitedByLengthOrChunks() throws {
        #expect(try RequestFraming(headers: [:], isHTTP11: true) == .none)
        #expect(try RequestFraming(headers: ["content-length": "0"], isHTTP11: true) == .none)
        #expect(try RequestFraming(headers: ["Content-Length": "12"], isHTTP11: false) == .length(12))
        #expect(try RequestFraming(headers: ["Transfer-Encoding": "Chunked"], isHTTP11: true) == .chunked)
    }

    @Test(
        arguments: [
            ["Content-Length": "1", "content-length": "1"], ["Content-Length": "1", "content-length": "2"],
            ["Content-Length": "1", "Transfer-Encoding": "chunked"], ["Content-Length": "-1"], ["Content-Length": "+1"],
            ["Content-Length": "1, 1"], ["Content-Length": ""], ["Content-Length": "0x10"],
            ["Content-Length": "99999999999999999999"], ["Transfer-Encoding": "gzip, chunked"],
            ["Transfer-Encoding": "identity"], ["Transfer-Encoding": "chunked", "transfer-encoding": "chunked"],
        ] as [HTTPHeaders])
    func everythingAmbiguousIsRefused(headers: HTTPHeaders) {
        #expect(throws: HTTPFault.self) { try RequestFraming(headers: headers, isHTTP11: true) }
    }

    @Test func chunksBelongToHTTP11() {
        #expect(throws: HTTPFault.self) {
            try RequestFraming(headers: ["Transfer-Encoding": "chunked"], isHTTP11: false)
        }
    }
}
