import Foundation
import HearthFiles

/// A property list that is one dictionary of texts and flags. The file is not trusted.
struct PropertyListFile {
    static let limitBytes = 1 << 20

    /// Its values that are texts, by key.
    let texts: [String: String]
    /// Its values that are true or false, by key.
    let flags: [String: Bool]

    /// Nil when there is no such file, or it is something else.
    init?(path: String) {
        let disk = DiskFiles()
        // Pipes and devices, which have no size, could hold up the reader for ever.
        guard let size = try? disk.size(path), size <= Self.limitBytes,
            let bytes = try? disk.read(path, limitBytes: Self.limitBytes), !Self.isNestedBinary(bytes),
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
        else { return nil }
        texts = list.compactMapValues { $0 as? String }
        flags = list.compactMapValues { $0 as? Bool }
    }

    /// Whether it is a binary list that holds more than one collection, or one whose table of objects is damaged.
    ///
    /// A few hundred bytes suffice for a list in which each collection holds the next one twice, which Foundation would take
    /// until the end of days to unfold.
    private static func isNestedBinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: Array("bplist".utf8)) else { return false }
        guard let markers = objectMarkers(bytes) else { return true }
        return markers.filter { (0xA...0xD).contains($0 >> 4) }.count > 1
    }

    /// The first byte of each object; the high half is its kind.
    private static func objectMarkers(_ bytes: [UInt8]) -> [UInt8]? {
        let trailer = bytes.count - 32
        guard trailer >= 8 else { return nil }
        func number(_ position: Int, _ width: Int) -> Int? {
            var value: UInt64 = 0
            for byte in bytes[position..<(position + width)] { value = value << 8 | UInt64(byte) }
            return Int(exactly: value)
        }
        let width = Int(bytes[trailer + 6])
        guard (1...8).contains(width), let count = number(trailer + 8, 8), let table = number(trailer + 24, 8),
            table <= trailer, count <= (trailer - table) / width
        else { return nil }
        var markers: [UInt8] = []
        for index in 0..<count {
            guard let position = number(table + index * width, width), position < table else { return nil }
            markers.append(bytes[position])
        }
        return markers
    }
}
