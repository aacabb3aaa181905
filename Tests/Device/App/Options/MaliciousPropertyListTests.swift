import Foundation
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("Malicious property lists", .limitedTime)
struct MaliciousPropertyListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func texts(_ bytes: some Sequence<UInt8>) throws -> [String: String]? {
        try? PropertyListFile(path: folder.write(Array(bytes), to: "hostile.plist")).texts
    }

    @Test("Collections within collections", arguments: ["array", "dict"], [100, 60_000])
    func nested(kind: String, depth: Int) throws {
        let key = kind == "dict" ? "<key>a</key>" : ""
        let text =
            "<plist><dict><key>GOOGLE_APP_ID</key><string>1:1:ios:a</string><key>x</key>"
            + String(repeating: "<\(kind)>\(key)", count: depth) + "<true/>"
            + String(repeating: "</\(kind)>", count: depth) + "</dict></plist>"
        // The result matters less than that the call returns.
        let texts = try texts(text.utf8)
        #expect(texts == nil || texts?["GOOGLE_APP_ID"] == "1:1:ios:a")
    }

    @Test("Old-style lists", arguments: ["(", "{a=", "<", "\"", "{", "/*"])
    func oldStyle(text: String) throws {
        #expect(try texts(String(repeating: text, count: 100_000).utf8) == nil)
    }

    @Test("A binary list that expands endlessly")
    func unfolding() throws {
        #expect(try texts(BinaryList.doubling(depth: 60)) == nil)
    }

    @Test("A binary list that contains itself")
    func selfReference() throws {
        #expect(try texts(BinaryList.bytes([[0xD1, 1, 0], [0x51, 0x41]])) == nil)
    }

    @Test("A binary list cut off anywhere, and with any byte changed")
    func damaged() throws {
        let whole = Array(
            try PropertyListSerialization.data(
                fromPropertyList: ["GOOGLE_APP_ID": "1:1:ios:a", "API_KEY": "k"], format: .binary, options: 0))
        #expect(try texts(whole)?["API_KEY"] == "k")
        for count in 0..<whole.count { #expect(try texts(whole[..<count]) == nil) }
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] = value
                _ = try texts(bytes)
            }
        }
    }

    @Test("An absurd table of objects", arguments: [UInt64.max, 1 << 62, 1 << 32, 1000])
    func table(number: UInt64) throws {
        for position in [8, 16, 24] {
            var bytes = BinaryList.bytes([[0xD1, 1, 2], [0x51, 0x41], [0x51, 0x42]])
            let start = bytes.count - 32 + position
            for index in 0..<8 { bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt64((7 - index) * 8)) }
            #expect(try texts(bytes) == nil)
        }
    }

    @Test("A file that never ends, and a folder")
    func devices() {
        #expect(FirebaseOptions(contentsOfFile: "/dev/zero") == nil)
        #expect(FirebaseOptions(contentsOfFile: "/dev/tty") == nil)
        #expect(FirebaseOptions(contentsOfFile: folder.path) == nil)
        #expect(FirebaseOptions(contentsOfFile: "") == nil)
        #expect(FirebaseOptions(contentsOfFile: "\u{0}") == nil)
    }
}

/// Binary property lists, written object by object.
private enum BinaryList {
    /// A dictionary whose only value contains the next collection twice, and so on.
    static func doubling(depth: UInt8) -> [UInt8] {
        let arrays = (0..<depth).map { [0xA2, $0 + 3, $0 + 3] }
        return bytes([[0xD1, 1, 2], [0x51, 0x41]] + arrays + [[0x09]])
    }

    static func bytes(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] { withUnsafeBytes(of: UInt64(number).bigEndian) { bytes += $0 } }
        return bytes
    }
}
