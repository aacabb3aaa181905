import HearthHTTP
import Testing

@testable import enum HearthHTTP.RequestFraming

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
