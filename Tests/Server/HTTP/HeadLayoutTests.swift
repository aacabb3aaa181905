import Testing

@testable import struct HearthHTTP.HeadLayout

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
