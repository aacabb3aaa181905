import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthManagement
import HearthStorage
import HearthWire

/// Installations: those of the main server come here, so that their devices can renew their tokens. Those that registered
/// here go there. Its methods block; any thread may call them.
final class InstallationExchange: Sendable {
    /// What is known of the main server's installations.
    private struct Known {
        /// Where the next page begins; nil at the start of the process, and once a day.
        var cursor: InstallationCursor?
        var fullAt: ContinuousClock.Instant?
        /// The number of installations there after the last exchange.
        var countThere = -1
    }

    private let main: MainServer
    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let reserveBytes: UInt64
    private let known = Lock(Known())
    /// Held from the question which installations are unsent until they are noted as sent.
    private let pushing = Lock(())

    private static let fullEvery: Duration = .seconds(86_400)
    /// Two installations of one time may be recorded in another order than that of their times.
    private static let overlapMicroseconds: Int64 = 120_000_000
    /// A follower keeps no more.
    private static let most = 50_000_000
    /// How many more may come than the main server has said: others register meanwhile.
    private static let slack = 2 * MirrorBodies.Installations.pageLimit
    /// More than a page takes on the disk.
    private static let pageBytes: UInt64 = 8 << 20

    /// - Parameter blobs: on the disk of the records.
    init(
        _ main: MainServer, _ data: (metadata: any MetadataStore, blobs: any BlobStore), diskReserveBytes: UInt64
    ) {
        self.main = main
        (metadata, blobs) = data
        reserveBytes = diskReserveBytes
    }

    /// Sends what is new here, and gets what is new there. The first exchange of a process gets all, which may take long.
    ///
    /// - Parameter countThere: how many installations the main server has, as it said last.
    func run(_ countThere: () -> Int) throws {
        try push()
        let (known, count) = (known.withLock { $0 }, countThere())
        let isFull = known.fullAt.map { ContinuousClock.now - $0 >= Self.fullEvery } ?? true
        guard isFull || known.countThere != count else { return }
        var cursor = isFull ? nil : known.cursor
        if let last = cursor {
            cursor = InstallationCursor(
                createdMicroseconds: last.createdMicroseconds - Self.overlapMicroseconds, projectID: "", fid: "")
        }
        try pull(from: &cursor, countThere)
        // A time ahead, as of a clock that was wrong, would hide those that come.
        if let last = cursor, last.createdMicroseconds > Timestamp.now.microseconds {
            cursor = InstallationCursor(
                createdMicroseconds: Timestamp.now.microseconds, projectID: "", fid: "")
        }
        self.known.withLock { known in
            known.cursor = cursor
            known.countThere = count
            if isFull { known.fullAt = .now }
        }
    }

    private func pull(from cursor: inout InstallationCursor?, _ countThere: () -> Int) throws {
        var received = 0
        while true {
            let page = try main.installations(
                after: cursor.map { ($0.createdMicroseconds, $0.projectID, $0.fid) })
            received += page.count
            guard received <= min(countThere(), Self.most) + Self.slack else {
                throw MirrorProblem(
                    .malformed,
                    """
                    \(main.url) sends more installations (\(received)) than it says it has (\(countThere())), or than a follower \
                    keeps (\(Self.most)). No more are taken.
                    """)
            }
            if let last = page.last {
                let next = InstallationCursor(
                    createdMicroseconds: last.created, projectID: last.project, fid: last.fid)
                // A main server that sends the same page again would keep this thread for ever.
                guard cursor.map({ Self.isBefore($0, next) }) ?? true else {
                    throw MirrorProblem(.malformed, "The list of installations of \(main.url) has no order")
                }
                cursor = next
                try checkDisk()
                _ = try metadata.write { try $0.insertIfAbsent(page.map(\.record)) }
            }
            guard page.count >= MirrorBodies.Installations.pageLimit else { return }
            // A device that registered here does not wait for the end.
            try push()
        }
    }

    private func checkDisk() throws(MirrorProblem) {
        guard let free = try? blobs.freeBytes(), free >= reserveBytes, free - reserveBytes >= Self.pageBytes else {
            throw MirrorProblem(
                .storage, "The disk has no space for more installations of \(main.url). Free some space.")
        }
    }

    private static func isBefore(_ left: InstallationCursor, _ right: InstallationCursor) -> Bool {
        (left.createdMicroseconds, left.projectID, left.fid) < (right.createdMicroseconds, right.projectID, right.fid)
    }

    /// Tells the main server of the installations that registered here and that it does not know yet.
    ///
    /// One call at a time: otherwise one that read the list before a device was deleted could make the main server know that
    /// device again.
    func push() throws {
        try pushing.withLock { _ in
            while true {
                let unsent = try metadata.read {
                    try $0.unsentInstallations(limit: MirrorBodies.Installations.limit)
                }
                guard !unsent.isEmpty else { return }
                try main.add(unsent.map { MirrorBodies.Installation($0) })
                try metadata.write { try $0.noteSent(unsent) }
            }
        }
    }

    /// Removes an installation that the main server has deleted.
    func forget(_ installation: HearthCatalog.Installation) throws {
        try metadata.write { store in
            guard try store.installation(fid: installation.fid, project: installation.projectID) != nil else { return }
            try store.delete(installation)
        }
    }
}
