import CCrashGuard
import HearthConcurrency
package import HearthCrypto
package import HearthFiles
import HearthWire

/// Finds the versions of models that end the process, by marks on the disk that outlive it. Use it from any thread.
///
/// Each process has one small file for each version that it uses, holds the file's lock while it lives, and maps it into
/// its memory: a mark costs no call of the system. The next process finds the files whose lock is free.
package final class CrashGuard: Sendable {
    private let folder: String
    private let files: any FileOperations
    /// The versions that this process guards, by the path of their record: the same for all objects with one folder.
    private static let guarded = Lock<[String: GuardedVersion]>([:])

    private static let recordLimitBytes = 4096
    /// How long a process waits for another one that is writing a record.
    private static let longestWait: Duration = .seconds(2)

    /// Makes a guard.
    ///
    /// - Parameter storeFolder: The folder of the app's models, which other processes may share.
    package init(storeFolder: String, files: any FileOperations) {
        folder = FilePath.join(storeFolder, "trials")
        self.files = files
    }

    /// Begins to guard a version in this process. Writes a file at the first call for a version.
    ///
    /// - Returns: nil when the disk does not work, or this process guards too many versions.
    package func version(_ digest: SHA256Digest) -> GuardedVersion? {
        let path = recordPath(digest.hex)
        return Self.guarded.withLock { guarded in
            if let known = guarded[path] { return known }
            guard let made = add(digest) else { return nil }
            guarded[path] = made
            return made
        }
    }

    private func add(_ digest: SHA256Digest) -> GuardedVersion? {
        do throws(FileError) {
            try files.makeFolder(folder, mode: 0o700)
            guard let lock = try lock() else { return nil }
            defer { withExtendedLifetime(lock) {} }
            let path = FilePath.join(folder, MarkFile.newName(digest.hex))
            guard let descriptor = MarkFile.create(path) else { return nil }
            let recorded = UInt64(record(digest.hex).recordedRuns)
            let index = hearth_guard_add(path, descriptor, recorded)
            if index >= 0 { return GuardedVersion(index: index) }
            MarkFile.close(descriptor)
            try files.remove(path)
            return nil
        } catch {
            return nil
        }
    }

    /// What processes that ended say about the versions that they used.
    package struct Finding: Sendable, Equatable {
        /// The version's SHA-256 in hex.
        package var hash: String
        /// Its crashes and deaths since the last call, by the name of the signal, or `died`.
        package var crashes: [String: Int64] = [:]
        /// Why the version must be rejected.
        package var rejection: Rejection?
    }

    /// Reads and removes the marks of processes that ended, and writes down what follows from them.
    ///
    /// - Parameter known: The hashes of the versions on this device. The records of others are removed.
    package func findings(known: Set<String>) -> [Finding] {
        do throws(FileError) {
            let names = try files.list(folder)
            guard names.contains(where: { MarkFile.hash(of: $0) != nil || recordedHash(of: $0) != nil }),
                let lock = try lock()
            else { return [] }
            defer { withExtendedLifetime(lock) {} }
            try AtomicFile.sweepAbandoned(in: folder, files: files)
            return try judge(known)
        } catch {
            // The next process tries again.
            return []
        }
    }

    private func judge(_ known: Set<String>) throws(FileError) -> [Finding] {
        let names = try files.list(folder)
        var findings: [Finding] = []
        for (hash, marks) in Dictionary(grouping: names.filter { MarkFile.hash(of: $0) != nil }, by: MarkFile.hash) {
            guard let hash else { continue }
            if let finding = try judge(hash, marks.map { FilePath.join(folder, $0) }) { findings.append(finding) }
        }
        let rejected = Set(findings.filter { $0.rejection != nil }.map(\.hash))
        for hash in try files.list(folder).compactMap(recordedHash)
        where !known.contains(hash) || rejected.contains(hash) {
            try files.remove(recordPath(hash))
        }
        return findings.filter { known.contains($0.hash) }.sorted { $0.hash < $1.hash }
    }

    private func judge(_ hash: String, _ paths: [String]) throws(FileError) -> Finding? {
        var living = 0
        var ended: [(path: String, stamp: Int64, life: TrialRecord.Life)] = []
        for path in paths {
            guard let bytes = try? files.read(path, limitBytes: Self.recordLimitBytes) else { continue }
            let life = MarkFile.life(bytes)
            if MarkFile.isInUse(path) {
                living += life?.successes ?? 0
            } else if let life {
                ended.append((path, FileStamp(path: path)?.modified ?? 0, life))
            } else {
                // Its process died before it began.
                try files.remove(path)
            }
        }
        guard !ended.isEmpty else { return nil }
        let before = record(hash)
        var record = before
        var finding = Finding(hash: hash)
        for (path, _, life) in ended.sorted(by: { $0.stamp < $1.stamp }) {
            // First: a process that dies between the two forgets a death, and does not count it twice.
            try files.remove(path)
            if let code = life.code(isOnTrial: !record.isTrialEnded) { finding.crashes[code, default: 0] += 1 }
            let rejection = record.add(life, living: living)
            finding.rejection = finding.rejection ?? rejection
        }
        if record != before, finding.rejection == nil, let bytes = try? WireJSON.encode(record) {
            try AtomicFile.write(bytes, to: recordPath(hash), files: files)
        }
        return finding
    }

    /// Whether the version is on trial: whether a death without a signal counts.
    package func isOnTrial(_ digest: SHA256Digest) -> Bool { !record(digest.hex).isTrialEnded }

    /// A new one where none can be read.
    private func record(_ hash: String) -> TrialRecord {
        guard let bytes = try? files.read(recordPath(hash), limitBytes: Self.recordLimitBytes),
            let record = try? WireJSON.decode(TrialRecord.self, from: bytes)
        else { return TrialRecord() }
        return record
    }

    private static let recordEnding = ".trial"

    private func recordPath(_ hash: String) -> String { FilePath.join(folder, hash + Self.recordEnding) }

    private func recordedHash(of name: String) -> String? {
        name.hasSuffix(Self.recordEnding) ? String(name.dropLast(Self.recordEnding.count)) : nil
    }

    private func lock() throws(FileError) -> FileLock? {
        let end = SuspendingClock.now + Self.longestWait
        return try FileLock.acquire(FilePath.join(folder, ".lock"), asLongAs: { SuspendingClock.now < end })
    }
}

/// A version that this process guards.
package struct GuardedVersion: Sendable {
    fileprivate let index: Int32

    /// The calling thread is about to load or run the version.
    ///
    /// - Returns: What ``end(_:isSuccess:)`` needs.
    package func begin() -> Int64 { hearth_guard_begin(index) }

    /// The load or run is over.
    ///
    /// - Parameter isSuccess: Whether a run gave a result.
    package func end(_ token: Int64, isSuccess: Bool) { hearth_guard_end(index, token, isSuccess) }

    /// The runs of this process that gave a result.
    package var successes: Int { Int(clamping: hearth_guard_successes(index)) }
}
