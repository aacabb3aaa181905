import Testing

@testable import HearthTransport

@Suite("Header lines") struct ResponseHeadParserTests {
    private func parse(_ lines: [String]) throws -> TransportResponseHead? {
        var parser = ResponseHeadParser()
        for line in lines {
            _ = try Array(line.utf8).withUnsafeBytes {
                try parser.take($0, host: "a.example")
            }
        }
        return parser.head
    }

    @Test("A folded line belongs to the value before it, even when it is blank")
    func folding() throws {
        let head = try parse(["HTTP/1.1 200 OK\r\n", "X-A: one\r\n", "\t two\r\n", " \r\n", "X-B: 1\r\n", "\r\n"])
        #expect(head?.headers["X-A"] == "one two ")
        #expect(head?.headers["X-B"] == "1")
    }

    @Test("Lines without a colon, stray folds and bare line feeds do no harm")
    func oddLines() throws {
        let head = try parse(["HTTP/1.1 200\n", " stray\n", "nonsense\n", ": no name\n", "X-A:1\n", "\n"])
        #expect(head?.status == 200)
        #expect(head?.headers["X-A"] == "1")
    }

    @Test("A status that is not a number gives no head", arguments: ["HTTP/1.1\r\n", "HTTP/1.1 abc\r\n", "\r\n"])
    func badStatus(line: String) throws {
        #expect(try parse([line, "\r\n"]) == nil)
    }

    @Test("The limit holds at n and n + 1")
    func limit() throws {
        let frame = "HTTP/1.1 200 OK\r\n".utf8.count + "A: \r\n".utf8.count + "\r\n".utf8.count
        let filler = String(repeating: "x", count: ResponseHeadParser.limitBytes - frame)
        #expect(try parse(["HTTP/1.1 200 OK\r\n", "A: \(filler)\r\n", "\r\n"]) != nil)
        let error = #expect(throws: TransportError.self) {
            try parse(["HTTP/1.1 200 OK\r\n", "A: \(filler)x\r\n", "\r\n"])
        }
        #expect(error?.code == .tooLarge)
    }
}
