import HearthTestSupport
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Multipart bodies") struct MultipartRelatedTests {
    private static let boundary = "===============5403172869405327158=="
    private static let type = "multipart/related; boundary=\"\(boundary)\""

    struct Result: Equatable {
        var metadata: String
        var mediaType: String?
        var media: [UInt8]
    }

    /// As google-cloud-storage writes it.
    private func body(_ media: [UInt8], json: String = #"{"name": "m.tflite"}"#) -> [UInt8] {
        let head = """
            --\(Self.boundary)\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n\(json)\r\n\
            --\(Self.boundary)\r\ncontent-type: application/octet-stream\r\n\r\n
            """
        return Array(head.utf8) + media + Array("\r\n--\(Self.boundary)--".utf8)
    }

    private func parse(
        _ pieces: [ArraySlice<UInt8>], type: String = Self.type, limit: Int = 1000
    ) throws -> Result {
        var parts = try MultipartRelated(contentType: type, metadataLimitBytes: limit)
        var media: [UInt8] = []
        for piece in pieces {
            try Array(piece).withUnsafeBytes { bytes in try parts.consume(bytes) { media += $0 } }
        }
        try parts.finish()
        return Result(
            metadata: String(decoding: parts.metadata, as: UTF8.self), mediaType: parts.mediaType, media: media)
    }

    private func refusal(_ bytes: [UInt8], type: String = Self.type, limit: Int = 1000) -> APIError? {
        do {
            _ = try parse([bytes[...]], type: type, limit: limit)
            return nil
        } catch {
            return error as? APIError
        }
    }

    @Test("Two parts are taken apart, wherever the pieces are cut")
    func everyCut() throws {
        let media = Array("\r\n--\r\r\n--===\r\n--===============540\n\r".utf8) + [0, 255, 13] + Array("--=".utf8)
        let bytes = body(media)
        let expected = Result(
            metadata: #"{"name": "m.tflite"}"#, mediaType: "application/octet-stream", media: media)
        #expect(try parse([bytes[...]]) == expected)
        #expect(try parse(bytes.indices.map { bytes[$0...$0] }) == expected)
        for cut in 0...bytes.count {
            #expect(try parse([bytes[..<cut], bytes[cut...]]) == expected, "cut at \(cut)")
        }
    }

    @Test("Random bodies in random pieces come out as they went in")
    func random() throws {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array("\r\n-=5".utf8)
        for _ in 0..<300 {
            let media = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let bytes = body(media)
            var pieces: [ArraySlice<UInt8>] = []
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
                pieces.append(bytes[start..<end])
                start = end
            }
            #expect(try parse(pieces).media == media)
        }
    }

    @Test("A preamble, blanks behind a boundary, an epilogue and parts without headers are allowed")
    func tolerance() throws {
        let text = "preamble\r\n--B \t\r\n\r\n{}\r\n--B\r\n\r\nfile\r\n--B--\r\nepilogue\r\n--B\r\n"
        #expect(
            try parse([Array(text.utf8)[...]], type: "Multipart/Related;type=x; BOUNDARY=B;start=y")
                == Result(metadata: "{}", mediaType: nil, media: Array("file".utf8)))
    }

    @Test(
        "A boundary may be bare or quoted",
        arguments: [
            ("multipart/related; boundary=abc", "abc"), ("multipart/related; boundary=\"a=b\"", "a=b"),
            ("multipart/related;boundary=\"a\\=b\" ; charset=x", "a=b"),
            (" multipart/related ; boundary = abc ", "abc"),
            ("multipart/related; a=\"; boundary=x\"; boundary=y", "y"), ("multipart/related; boundary=a=b", "a=b"),
        ])
    func boundaries(type: String, expected: String) {
        #expect(MultipartRelated.boundary(in: type) == Array(expected.utf8))
    }

    @Test(
        "Whatever is no boundary is refused",
        arguments: [
            "", "multipart/related", "multipart/related;", "multipart/form-data; boundary=a",
            "multipart/related; boundary=",
            "multipart/related; boundary=\"\"", "multipart/related; boundary=\"a", "multipart/related; boundary=\"a\\",
            "multipart/related; boundary=\"a \"", "multipart/related; boundary=a{b", "multipart/related; boundary=é",
            "multipart/related; boundary=" + String(repeating: "a", count: 71), "multipart/related; x; boundary=a",
            "multipart/related; boundary=\"a\"b; x=y\r\n",
        ])
    func badBoundaries(type: String) {
        let isReadable = MultipartRelated.boundary(in: type) != nil
        #expect(!isReadable || type.contains("\"a\"b"))
    }

    @Test("A body that is cut off anywhere is refused")
    func truncated() throws {
        let bytes = body(Array("file".utf8))
        for count in 0..<bytes.count {
            #expect(refusal(Array(bytes[..<count]))?.status == .invalidArgument, "\(count)")
        }
    }

    @Test(
        "Bodies of another form are refused with the reason",
        arguments: [
            ("--C\r\n\r\n{}\r\n--C--", "ends before its closing boundary"),
            ("--B--", "needs a part of JSON and a part with the file"),
            ("--B\r\n\r\n{}\r\n--B--", "needs a part of JSON and a part with the file"),
            ("--B\r\n\r\n{}\r\n--B\r\n\r\nx\r\n--B\r\n\r\ny\r\n--B--", "more than two parts"),
            ("--B\r\n\r\n{}\r\n--Bx\r\n\r\nx\r\n--B--", "does not end its line"),
            ("--B-x", "does not end its line"), ("--B\rx", "does not end its line"),
            ("--B" + String(repeating: " ", count: 200), "does not end its line"),
            ("--B\r\nContent-Type: text/plain\r\n\r\n{}\r\n--B\r\n\r\nx\r\n--B--", "must be application/json"),
            ("--B\r\nX: " + String(repeating: "a", count: 9000), "headers of a part are too long"),
        ])
    func malformed(text: String, reason: String) throws {
        let error = try #require(refusal(Array(text.utf8), type: "multipart/related; boundary=B"))
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test("The JSON part is held to its limit, at n and n + 1")
    func hugeJSON() {
        #expect(refusal(body([1], json: String(repeating: "a", count: 1000))) == nil)
        #expect(refusal(body([1], json: String(repeating: "a", count: 1001)))?.httpStatus == 413)
        let endless = "--\(Self.boundary)\r\n\r\n" + String(repeating: "a", count: 5000)
        #expect(refusal(Array(endless.utf8))?.httpStatus == 413, "refused before its end has come")
    }
}
