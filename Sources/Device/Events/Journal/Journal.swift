import HearthCrypto
import HearthFiles
import HearthWire

/// The journal that this process writes. It has a new name in each process: a journal that comes back from a backup
/// must not use numbers again that the server knows for other items. One thread at a time; blocks.
struct Journal {
    /// An item without its number.
    enum Content: Sendable, Equatable {
        case event(EventBodies.Event)
        case exposure(EventBodies.Exposure)
        case health(ModelHealth)
    }

    struct Entry: Sendable, Equatable {
        var time: Timestamp
        var content: Content
    }

    private struct Open {
        let file: any WritableFile
        let installation: String
        var byteCount = 0
        var itemCount = 0
    }

    /// Slightly fewer bytes than a batch may have.
    static let segmentBytes = EventBodies.byteLimit - 8192

    private let folder: JournalFolder
    private let began: Int64
    private let name = SegmentName.newJournal()
    private var next: Int64 = 1
    /// The segment that this process writes, with its lock.
    private var open: Open?

    init(_ folder: JournalFolder, now: Timestamp) {
        self.folder = folder
        began = now.microseconds
    }

    /// Writes the entries, in this order.
    ///
    /// - Parameters:
    ///   - installation: The id of the installation in which they happened.
    ///   - durably: Whether the entries are on the disk when this returns, instead of only in the system's memory.
    /// - Returns: How many older items were removed for them.
    mutating func append(
        _ entries: [Entry], of installation: String, durably: Bool = false
    ) throws(FileError) -> Int {
        do throws(FileError) {
            return try write(entries, installation, durably)
        } catch {
            // The segment may end within a line, and nothing may follow that.
            seal()
            throw error
        }
    }

    /// Ends the segment, so that it may be sent.
    mutating func seal() { open = nil }

    private mutating func write(
        _ entries: [Entry], _ installation: String, _ durably: Bool
    ) throws(FileError) -> Int {
        var lost = 0
        for entry in entries {
            guard let line = JournalLine.bytes(entry.item(next)) else { continue }
            if let open, isFull(open, adding: line) || open.installation != installation || !open.file.isInPlace {
                seal()
            }
            if open == nil { lost += try begin(installation) }
            try open?.file.write(line)
            next += 1
            open?.byteCount += line.count
            open?.itemCount += 1
        }
        if durably {
            try open?.file.synchronize()
            try folder.files.synchronizeFolder(folder.path)
        }
        return lost
    }

    private func isFull(_ open: Open, adding line: [UInt8]) -> Bool {
        open.itemCount >= EventBodies.itemLimit || open.byteCount + line.count > Self.segmentBytes
    }

    private mutating func begin(_ installation: String) throws(FileError) -> Int {
        try folder.files.makeFolder(folder.path, mode: 0o700)
        let lost = try folder.evictOldestSegments()
        let segment = SegmentName(began: began, journal: name, installation: installation, first: next)
        open = Open(
            file: try folder.files.createFile(folder.path(segment), mode: 0o600), installation: installation)
        return lost
    }
}

extension Journal.Entry {
    /// The last second of the year 9999. The clock may be wrong, but the text must be a valid time.
    private static let latest = Timestamp(seconds: 253_402_300_799)

    fileprivate func item(_ sequence: Int64) -> EventBodies.Item {
        let time = min(max(time, Timestamp(seconds: 0)), Self.latest).rfc3339(fractionDigits: 3)
        return switch content {
        case .event(let event): EventBodies.Item(sequence: sequence, time: time, event: event)
        case .exposure(let exposure): EventBodies.Item(sequence: sequence, time: time, exposure: exposure)
        case .health(let health): EventBodies.Item(sequence: sequence, time: time, health: health)
        }
    }
}

/// One item as a line of a journal: the CRC-32C of the JSON in hex, a space, the JSON, a line break. Pure.
enum JournalLine {
    private static let lineBreak = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let sumCount = 8

    /// What a segment's bytes contain.
    struct Contents: Equatable {
        var items: [EventBodies.Item] = []
        /// Whether there are bytes that no writer wrote, not even one that was killed.
        var isDamaged = false
    }

    /// The item's line; nil for numbers that JSON does not have.
    static func bytes(_ item: EventBodies.Item) -> [UInt8]? {
        guard let json = try? WireJSON.encode(item) else { return nil }
        return sum(json) + [space] + json + [lineBreak]
    }

    /// The items before the first damaged line. A last line without its line break comes from a killed process, and
    /// does not count as damage.
    static func contents(_ bytes: [UInt8]) -> Contents {
        var contents = Contents()
        var remaining = bytes[...]
        while let end = remaining.firstIndex(of: lineBreak) {
            guard let item = item(remaining[..<end]), item.sequence > contents.items.last?.sequence ?? 0 else {
                contents.isDamaged = true
                return contents
            }
            contents.items.append(item)
            remaining = remaining[(end + 1)...]
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
