/// The central directory of a zip, found from the end of the bytes. It defines the members; local headers only have to
/// agree with it.
struct ZipDirectory {
    private static let endSize = 22
    private static let largestComment = 0xFFFF
    // The deflate format cannot compress better than this, so a larger size in the directory is false.
    private static let largestDeflateRatio = 1032

    /// The offset of the directory; for an empty archive, the offset of its end record.
    let start: Int

    /// What is added to the offsets in the zip. They count from the zip's own first byte if the zip was made alone and
    /// then appended to a model.
    private let shift: Int
    private let bytes: ModelBytes
    private let range: Range<Int>
    private let count: Int

    /// Searches for the end record: 22 bytes and a comment that ends with the last byte.
    static func find(in bytes: ModelBytes) throws(ModelFileError) -> ZipDirectory? {
        let last = bytes.count - endSize
        guard last >= 0 else { return nil }
        for position in stride(from: last, through: max(0, last - largestComment), by: -1) {
            // This loop scans models without a zip completely, so it first compares one byte.
            guard bytes.baseAddress.load(fromByteOffset: position, as: UInt8.self) == 0x50,
                let end = ZipRecord(bytes, at: position, size: endSize, signature: 0x0605_4B50),
                end.short(20) == last - position
            else { continue }
            return try ZipDirectory(bytes, end, at: position)
        }
        return nil
    }

    private init(_ bytes: ModelBytes, _ end: ZipRecord, at position: Int) throws(ModelFileError) {
        count = end.short(10)
        guard end.short(4) == 0, end.short(6) == 0, end.short(8) == count else {
            throw ModelFileError(.unsupported, "the zip is split into several files; make it again as one")
        }
        let size = end.long(12)
        let offset = end.long(16)
        guard count != 0xFFFF, size != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else {
            throw ModelFileError(.unsupported, "the zip uses ZIP64; make it again without")
        }
        guard offset + size <= position else {
            throw ModelFileError(
                .invalidBundle,
                "the zip is damaged: its directory is not at the offset that its end record states")
        }
        shift = position - size - offset
        start = position - size
        range = start..<position
        self.bytes = bytes
    }

    /// All entries, including folders, each of them checked.
    func entries(limits: ZipLimits) throws(ModelFileError) -> [ZipArchive.Member] {
        guard count <= limits.members else {
            throw ModelFileError(.tooLarge, "the zip has \(count) files; at most \(limits.members) are accepted")
        }
        var entries: [ZipArchive.Member] = []
        var position = range.lowerBound
        var rest = limits.totalBytes
        for _ in 0..<count {
            let (entry, next) = try entry(at: position)
            guard entry.byteCount <= limits.bytesPerMember, entry.byteCount <= rest else {
                throw ModelFileError(.tooLarge, "the zip's file \(entry.name.quoted) is too large")
            }
            rest -= entry.byteCount
            position = next
            entries.append(entry)
        }
        guard position == range.upperBound else { throw Self.damaged("its directory is longer than its entries") }
        try requireDistinctNames(entries)
        try requireNoOverlap(entries)
        return entries
    }

    private func entry(at position: Int) throws(ModelFileError) -> (ZipArchive.Member, next: Int) {
        guard let record = ZipRecord(bytes, at: position, size: 46, signature: 0x0201_4B50) else {
            throw Self.damaged("an entry of its directory is missing")
        }
        let nameStart = position + 46
        let next = nameStart + record.short(28) + record.short(30) + record.short(32)
        guard next <= range.upperBound else { throw Self.damaged("an entry reaches beyond its directory") }
        let name = try ZipName.read(bytes, nameStart..<nameStart + record.short(28))
        let text = "the zip's file \(name.quoted)"
        guard record.short(8) & 0x2041 == 0 else {
            throw ModelFileError(.unsupported, "\(text) is encrypted; make the zip again without a password")
        }
        let compressed = record.long(20)
        let byteCount = record.long(24)
        guard ![compressed, byteCount, record.long(42)].contains(0xFFFF_FFFF) else {
            throw ModelFileError(.unsupported, "the zip uses ZIP64; make it again without")
        }
        let offset = record.long(42) + shift
        // The upper half of the external attributes is the Unix mode; 0xA marks a link.
        guard record.long(38) >> 28 != 0xA else {
            throw ModelFileError(.invalidBundle, "\(text) is a link; put the file itself into the zip")
        }
        let method = record.short(10)
        guard method == 0 || method == 8 else {
            throw ModelFileError(
                .unsupported, "\(text) is compressed in a way (\(method)) that is not read; use deflate")
        }
        let isDeflated = method == 8
        guard isDeflated ? byteCount <= compressed * Self.largestDeflateRatio : byteCount == compressed else {
            throw Self.damaged("the sizes of \(name.quoted) contradict each other")
        }
        let member = ZipArchive.Member(
            name: name, byteCount: byteCount, crc: UInt32(record.long(16)), isDeflated: isDeflated,
            headerOffset: offset,
            data: try dataRange(offset, compressed, nameStart..<nameStart + record.short(28), method, name))
        return (member, next)
    }

    /// Follows an entry to its local header, which must repeat the name and method, and to the bytes after it.
    private func dataRange(
        _ offset: Int, _ count: Int, _ nameRange: Range<Int>, _ method: Int, _ name: String
    ) throws(ModelFileError) -> Range<Int> {
        guard let header = ZipRecord(bytes, at: offset, size: 30, signature: 0x0403_4B50) else {
            throw Self.damaged("\(name.quoted) is not where its directory says")
        }
        let nameStart = offset + 30
        let nameEnd = nameStart + header.short(26)
        let start = nameEnd + header.short(28)
        guard start + count <= range.lowerBound, header.short(8) == method,
            bytes.withUnsafeBytes({ $0[nameStart..<nameEnd].elementsEqual($0[nameRange]) })
        else { throw Self.damaged("\(name.quoted) contradicts its directory") }
        return start..<start + count
    }

    private func requireDistinctNames(_ entries: [ZipArchive.Member]) throws(ModelFileError) {
        var seen: Set<String> = []
        for entry in entries where !seen.insert(entry.name).inserted {
            throw ModelFileError(.invalidBundle, "the zip has two files with the name \(entry.name.quoted)")
        }
    }

    /// Members that share bytes would let a small zip unpack into a huge one.
    private func requireNoOverlap(_ entries: [ZipArchive.Member]) throws(ModelFileError) {
        let sorted = entries.sorted { $0.headerOffset < $1.headerOffset }
        for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.data.upperBound > next.headerOffset {
            throw Self.damaged("\(entry.name.quoted) and \(next.name.quoted) share bytes")
        }
    }

    private static func damaged(_ what: String) -> ModelFileError {
        ModelFileError(.invalidBundle, "the zip is damaged: \(what)")
    }
}

/// A fixed-size record of a zip. Init checks the bounds once; after that, the little-endian fields are read by their
/// offset.
struct ZipRecord {
    private let bytes: ModelBytes
    private let position: Int
    private let size: Int

    /// - Returns: nil when the record would be outside the file or does not start with `signature`.
    init?(_ bytes: ModelBytes, at position: Int, size: Int, signature: UInt32) {
        guard position >= 0, position <= bytes.count - size else { return nil }
        self.bytes = bytes
        self.position = position
        self.size = size
        guard integer(0, UInt32.self) == signature else { return nil }
    }

    /// The 16-bit field at `offset`.
    func short(_ offset: Int) -> Int { Int(integer(offset, UInt16.self)) }

    /// The 32-bit field at `offset`.
    func long(_ offset: Int) -> Int { Int(integer(offset, UInt32.self)) }

    private func integer<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type) -> Value {
        precondition(offset + MemoryLayout<Value>.size <= size)
        return Value(littleEndian: bytes.baseAddress.loadUnaligned(fromByteOffset: position + offset, as: type))
    }
}

/// Names of files in a zip. Accepts only names that stay inside the folder into which they would be unpacked.
enum ZipName {
    static func read(_ bytes: ModelBytes, _ range: Range<Int>) throws(ModelFileError) -> String {
        let decoded = bytes.withUnsafeBytes { String(validating: $0[range], as: UTF8.self) }
        guard let decoded else {
            throw ModelFileError(.invalidBundle, "the zip has a file whose name is not UTF-8; rename it")
        }
        guard isSafe(decoded) else {
            throw ModelFileError(.invalidBundle, "the zip has a file with the forbidden name \(decoded.quoted)")
        }
        return decoded
    }

    static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("\\"), !name.utf8.contains(where: { $0 < 0x20 })
        else { return false }
        // A folder's name ends with a slash, which leaves an empty part at the end.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return !(name.hasSuffix("/") ? parts.dropLast() : parts[...]).contains { ["", ".", ".."].contains($0) }
    }
}
