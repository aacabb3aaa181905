import Foundation
import HearthFiles

/// A property list that consists of one dictionary of texts and flags. The file is not trusted.
struct PropertyListFile {
    static let limitBytes = 1 << 20

    /// The texts by key.
    let texts: [String: String]
    /// The flags by key.
    let flags: [String: Bool]

    /// - Throws: why the file cannot be read, or `mismatch` if it is not such a property list.
    init(path: String) throws(FileError) {
        let disk = DiskFiles()
        // Pipes and devices, which have no size, could block the reader forever.
        guard PathKind(following: path) != .other else { throw FileError(.io, "\(path) is not a regular file") }
        let bytes = try disk.read(path, limitBytes: Self.limitBytes)
        guard !Self.isNestedBinary(bytes),
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
        else { throw FileError(.mismatch, "\(path) is not a well-formed plist file") }
        texts = list.compactMapValues { $0 as? String }
        flags = list.compactMapValues { $0 as? Bool }
    }

    /// Whether this is a binary property list with more than one collection, or with a damaged object table.
    ///
    /// A few hundred bytes are enough for a list in which each collection contains the next one twice. Foundation would
    /// need practically endless time to expand it.
    private static func isNestedBinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: Array("bplist".utf8)) else { return false }
        guard let markers = objectMarkers(bytes) else { return true }
        return markers.filter { (0xA...0xD).contains($0 >> 4) }.count > 1
    }

    /// The first byte of each object; its upper four bits are the object's kind. nil when the object table is damaged.
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
