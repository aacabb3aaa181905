import HearthApp
import HearthCrypto
import HearthFiles
import HearthWire

/// The folder with all journals of an app, which consist of segments that are sent as one batch each. Several processes
/// may share it: each writes its own journal, and holds the lock of the segment that it writes. Blocks.
struct JournalFolder: Sendable {
    var limits = JournalLimits()
    let path: String
    let files: any FileOperations

    init(app: FirebaseApp) { self.init(path: FilePath.join(app.folder, "events"), files: app.environment.files) }

    init(path: String, files: any FileOperations) {
        self.path = path
        self.files = files
    }

    /// The lock file of the process that sends.
    var lockPath: String { FilePath.join(path, "sending.lock") }

    func path(_ name: SegmentName) -> String { FilePath.join(path, name.fileName) }

    /// The names of all segments, oldest first, including those that are being written.
    func names() throws(FileError) -> [SegmentName] {
        do throws(FileError) {
            return try files.list(path).compactMap(SegmentName.init).sorted()
        } catch let error where error.code == .notFound {
            return []
        }
    }

    /// The segments that no process writes any more, oldest first. Removes empty segments that a killed process left.
    func sealed() throws(FileError) -> [SegmentName] {
        var sealed: [SegmentName] = []
        for name in try names() {
            // Its writer holds the lock, or another process runs the same check now.
            guard let file = try files.appendFile(path(name), mode: 0o600) else { continue }
            if let size = try files.size(path(name)), size > 0 {
                sealed.append(name)
            } else {
                // Under the segment's lock: a writer that has made but not yet locked it makes it again.
                try remove(name)
            }
            withExtendedLifetime(file) {}
        }
        return sealed
    }

    /// Reads a segment; nil when it was removed. `isDamaged` is true when a part of it is not readable.
    func read(_ name: SegmentName) throws(FileError) -> Segment? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path(name), limitBytes: JournalLimits.segmentBytes)
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

    /// Removes the oldest segments until another one fits.
    ///
    /// - Returns: How many items were removed.
    func evictOldestSegments() throws(FileError) -> Int {
        let names = try names()
        var sizes: [UInt64] = []
        for name in names { sizes.append(try files.size(path(name)) ?? 0) }
        var bytes = sizes.reduce(0, +)
        var count = names.count
        var lost = 0
        for (name, size) in zip(names, sizes) {
            guard bytes > limits.bytes || count >= limits.segments else { break }
            // A segment that a process writes stays.
            guard let file = try files.appendFile(path(name), mode: 0o600) else { continue }
            lost += try read(name)?.items.count ?? 0
            try remove(name)
            withExtendedLifetime(file) {}
            bytes -= size
            count -= 1
        }
        return lost
    }

    /// Removes all segments, including those that other processes write now.
    func clear() throws(FileError) {
        for name in try names() { try remove(name) }
    }
}

/// A segment that no process writes any more, with its items.
struct Segment: Sendable {
    let name: SegmentName
    let items: [EventBodies.Item]
    /// Whether the bytes after the items are not readable.
    let isDamaged: Bool

    var last: Int64 { items.last?.sequence ?? 0 }

    var batch: EventBodies.Batch { EventBodies.Batch(journal: name.journal, items: items) }
}
