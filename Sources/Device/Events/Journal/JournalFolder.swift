import HearthApp
import HearthCrypto
import HearthFiles
import HearthWire

/// The folder that all journals of an app lie in, cut into segments that are sent as one batch each. Several processes may
/// share it: each writes a journal of its own, and holds the lock of the segment that it writes. Blocks.
struct JournalFolder: Sendable {
    /// The most bytes that all segments together may have before another one is begun.
    var limitBytes: UInt64 = 2 << 20
    /// So many starts of a program without a connection leave something behind.
    var limitSegments = 1000
    /// More than any writer makes.
    private static let segmentLimitBytes = 1 << 20

    let path: String
    let files: any FileOperations

    init(app: FirebaseApp) { self.init(path: FilePath.join(app.folder, "events"), files: app.environment.files) }

    init(path: String, files: any FileOperations) {
        self.path = path
        self.files = files
    }

    /// Held by the one process that sends.
    var lockPath: String { FilePath.join(path, "sending.lock") }

    func path(_ name: SegmentName) -> String { FilePath.join(path, name.fileName) }

    /// Oldest first; those that are being written too.
    func names() throws(FileError) -> [SegmentName] {
        do throws(FileError) {
            return try files.list(path).compactMap(SegmentName.init).sorted()
        } catch let error where error.code == .notFound {
            return []
        }
    }

    /// Those that nobody writes any more, oldest first. Removes what a killed process left empty.
    func sealed() throws(FileError) -> [SegmentName] {
        var sealed: [SegmentName] = []
        for name in try names() {
            // Its writer has it, or somebody who asks the same at this moment and will see to it.
            guard let file = try files.appendFile(path(name), mode: 0o600) else { continue }
            if let size = try files.size(path(name)), size > 0 {
                sealed.append(name)
            } else {
                // Under its lock: a writer that has made it but not locked it yet makes it anew.
                try remove(name)
            }
            withExtendedLifetime(file) {}
        }
        return sealed
    }

    /// Nil when it is gone. What is not readable in it is told in the log, once if it is removed then.
    func read(_ name: SegmentName) throws(FileError) -> Segment? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path(name), limitBytes: Self.segmentLimitBytes)
        } catch let error where error.code == .notFound {
            return nil
        } catch let error where error.code == .tooLarge {
            return Segment(name: name, items: [], isDamaged: true)
        }
        let contents = JournalLine.contents(bytes)
        return Segment(name: name, items: contents.items, isDamaged: contents.isDamaged)
    }

    func remove(_ name: SegmentName) throws(FileError) {
        do throws(FileError) {
            try files.remove(path(name))
        } catch let error where error.code == .notFound {
            return
        }
    }

    /// Removes the oldest segments until there is room for another one.
    ///
    /// - Returns: How many items went.
    func evictOldestSegments() throws(FileError) -> Int {
        let names = try names()
        var sizes: [UInt64] = []
        for name in names { sizes.append(try files.size(path(name)) ?? 0) }
        var bytes = sizes.reduce(0, +)
        var count = names.count
        var lost = 0
        for (name, size) in zip(names, sizes) {
            guard bytes > limitBytes || count >= limitSegments else { break }
            // What is being written stays.
            guard let file = try files.appendFile(path(name), mode: 0o600) else { continue }
            lost += try read(name)?.items.count ?? 0
            try remove(name)
            withExtendedLifetime(file) {}
            bytes -= size
            count -= 1
        }
        return lost
    }

    /// Forgets everything, also what other processes write at this moment.
    func clear() throws(FileError) {
        for name in try names() { try remove(name) }
    }
}

/// A segment that nobody writes any more, and what it holds.
struct Segment: Sendable {
    let name: SegmentName
    let items: [EventBodies.Item]
    /// What follows the items is not readable.
    let isDamaged: Bool

    var last: Int64 { items.last?.sequence ?? 0 }

    var batch: EventBodies.Batch { EventBodies.Batch(journal: name.journal, items: items) }
}

/// The name of a file that holds consecutive items of one journal: what the server has to be told of them, and their order.
struct SegmentName: Hashable, Sendable {
    private static let suffix = "events"
    private static let digitCount = 19
    private static let journalByteCount = 16
    private static let journalCharacterCount = 22

    /// When the journal was begun, in microseconds since 1970. For the order of journals alone.
    let began: Int64
    /// 22 URL-safe characters.
    let journal: String
    /// The id of the installation in which the items happened.
    let installation: String
    /// The number of the first item.
    let first: Int64

    init(began: Int64, journal: String, installation: String, first: Int64) {
        self.began = max(0, began)
        self.journal = journal
        self.installation = installation
        self.first = first
    }

    /// Nil for files that are no segments.
    init?(_ fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[4] == Self.suffix, Self.isJournal(parts[1]), InstallationID.isValid(parts[2]),
            let began = Self.number(parts[0]), let first = Self.number(parts[3])
        else { return nil }
        self.init(began: began, journal: parts[1], installation: parts[2], first: first)
    }

    var fileName: String {
        [Self.digits(began), journal, installation, Self.digits(first), Self.suffix].joined(separator: ".")
    }

    static func newJournal() -> String { Base64URL.encode(SecureRandom.bytes(journalByteCount)) }

    private static func isJournal(_ text: String) -> Bool {
        text.utf8.count == journalCharacterCount && Base64URL.decode(text)?.count == journalByteCount
    }

    private static func digits(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, digitCount - digits.count)) + digits
    }

    private static func number(_ text: String) -> Int64? {
        text.utf8.count == digitCount && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}

extension SegmentName: Comparable {
    /// Journal by journal, as a server that remembers one number for each must get them.
    static func < (left: SegmentName, right: SegmentName) -> Bool {
        (left.began, left.journal, left.first) < (right.began, right.journal, right.first)
    }
}
