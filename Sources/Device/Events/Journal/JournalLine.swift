import HearthCrypto
import HearthWire

/// One item as a line of a journal: the CRC-32C of the JSON in hex, a space, the JSON, a line break. Pure.
enum JournalLine {
    private static let lineBreak = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let sumCount = 8

    /// What a segment's bytes hold.
    struct Contents: Equatable {
        var items: [EventBodies.Item] = []
        /// Something stands there that no writer wrote, even one that was killed.
        var isDamaged = false
    }

    /// Nil for numbers that JSON does not have.
    static func bytes(_ item: EventBodies.Item) -> [UInt8]? {
        guard let json = try? WireJSON.encode(item) else { return nil }
        return sum(json) + [space] + json + [lineBreak]
    }

    /// Everything before the first line that is not whole. A last line without its break is what a killed process leaves, and
    /// no damage.
    static func contents(_ bytes: [UInt8]) -> Contents {
        var contents = Contents()
        var rest = bytes[...]
        while let end = rest.firstIndex(of: lineBreak) {
            guard let item = item(rest[..<end]), item.sequence > contents.items.last?.sequence ?? 0 else {
                contents.isDamaged = true
                return contents
            }
            contents.items.append(item)
            rest = rest[(end + 1)...]
        }
        return contents
    }

    private static func item(_ line: ArraySlice<UInt8>) -> EventBodies.Item? {
        guard line.count > sumCount + 1, line[line.startIndex + sumCount] == space else { return nil }
        let json = Array(line.dropFirst(sumCount + 1))
        guard line.prefix(sumCount).elementsEqual(sum(json)) else { return nil }
        return try? WireJSON.decode(EventBodies.Item.self, from: json)
    }

    private static func sum(_ json: [UInt8]) -> [UInt8] {
        let digits = String(CRC32C.checksum(json).value, radix: 16)
        return Array((String(repeating: "0", count: sumCount - digits.count) + digits).utf8)
    }
}
