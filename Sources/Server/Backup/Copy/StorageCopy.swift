import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthStorageSQL
package import HearthWire

/// Copies all data of a server to another place: from a folder to a database and a store that several servers share, back,
/// or to another database and store.
///
/// The source is read-only from the first moment on, and stays so: its servers answer devices until others do. A copy that
/// was ended at any moment continues with the next run. At the end, both sides are read and compared.
package struct StorageCopy {
    /// What a copy does at the moment.
    package struct Progress {
        package enum Step: Sendable {
            case rows, files, comparison
        }

        package var step: Step
        /// Of rows, bytes, or rows.
        package var done: UInt64
        package var total: UInt64
    }

    /// What was copied, and what differs.
    package struct Report: Codable, Equatable, Sendable {
        package struct Table: Codable, Equatable, Sendable {
            package var name: String
            package var rows: Int64
            /// Of all its rows.
            package var sha256: String
        }

        package var source: String
        package var target: String
        package var tables: [Table] = []
        package var blobs = 0
        package var blobBytes: UInt64 = 0
        package var signingKeys = 0
        /// Resumable uploads that were left.
        package var unfinishedUploads = 0
        package var differences: [String] = []

        package var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }
    }

    private let source: DataPlace
    private let target: DataPlace
    private let now: Timestamp
    private let quick: Bool
    private let progress: (Progress) -> Void

    /// - Parameters:
    ///   - quick: at the end, compares only the lengths of model files, and does not read them again.
    ///   - progress: is called often.
    package init(
        from source: DataPlace, to target: DataPlace, now: Timestamp, quick: Bool = false,
        progress: @escaping (Progress) -> Void = { _ in }
    ) {
        (self.source, self.target, self.now, self.quick, self.progress) = (source, target, now, quick, progress)
    }

    /// Blocks until the copy is complete, or differs. A target that differs stays incomplete.
    package func run() throws -> Report {
        if case .folder(let path) = source, case .folder = target {
            throw BackupError(
                .exists,
                "Both places are folders. Use `hearth admin backup` and `hearth admin restore` for a copy of \(path).")
        }
        // First, because it changes nothing.
        var opened = try CopySource(self.source)
        let target = try CopyTarget(self.target)
        let plan = try CopyPlan(from: opened.tables.tables(), to: target.tables.tables())
        try target.check(opened.folderID, plan)
        try opened.begin(reason: "it is copied to \(target.name)", now: now)
        let source = opened
        try target.begin(source)
        var report = Report(source: source.name, target: target.name)
        let keys = try source.tables.reading { () throws -> [SigningKey] in
            try copyRows(plan, source, target)
            let records = try RecordCheck(source.tables.store)
            try copyBlobs(records, source, target)
            try compare(plan, records, source, target, &report)
            return try source.signingKeys()
        }
        guard try source.isUnchanged() else {
            throw BackupError(
                .damaged,
                """
                Servers were allowed to change \(source.name) before the copy was complete, so it is out of date. Empty \
                \(target.name), and begin again.
                """)
        }
        report.signingKeys = keys.count
        guard report.differences.isEmpty else { return report }
        try target.finish(keys)
        if try target.signingKeys() != keys { report.differences.append("the signing keys differ") }
        return report
    }

    private func copyRows(_ plan: CopyPlan, _ source: CopySource, _ target: CopyTarget) throws {
        var total: UInt64 = 0
        for table in plan.tables { total += UInt64(try Self.count(table, source.tables)) }
        var done: UInt64 = 0
        for table in plan.tables {
            var copier = TableCopier(source: source.tables, target: target.tables)
            done += UInt64(try copier.cursor(of: table).rows)
            copier.progress = { rows in
                done += UInt64(rows)
                progress(Progress(step: .rows, done: done, total: total))
            }
            _ = try copier.copy(table)
        }
    }

    private static func count(_ table: CopiedTable, _ connection: any TableConnection) throws -> Int64 {
        try connection.integer("SELECT count(*) FROM \"\(table.name)\"") ?? 0
    }

    private func copyBlobs(_ records: RecordCheck, _ source: CopySource, _ target: CopyTarget) throws {
        let present = try source.blobs.sizes()
        // Malformed files may be there, or not.
        let needed = records.neededBlobs(amongOptional: { present[$0] != nil })
        let there = try target.blobs.sizes()
        let total = needed.values.reduce(0, &+)
        var done: UInt64 = 0
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            if there[digest] != size {
                guard present[digest] == size else {
                    throw BackupError(
                        .damaged,
                        """
                        The model file \(digest.hex) is \(present[digest] == nil ? "missing" : "damaged") in \
                        \(source.blobs.name); `hearth admin verify` says more.
                        """)
                }
                try target.blobs.add(digest, size: size, from: source.blobs)
            }
            done += size
            progress(Progress(step: .files, done: done, total: total))
        }
    }

    private func compare(
        _ plan: CopyPlan, _ records: RecordCheck, _ source: CopySource, _ target: CopyTarget, _ report: inout Report
    ) throws {
        var rows: UInt64 = 0
        var total: UInt64 = 0
        for table in plan.tables { total += UInt64(try Self.count(table, source.tables)) }
        for table in plan.tables {
            let own = try TableDigest(of: table, in: source.tables)
            let copy = try target.tables.reading { try TableDigest(of: table, in: target.tables) }
            report.tables.append(.init(name: table.name, rows: copy.rows, sha256: copy.sha256))
            if own.rows != copy.rows {
                report.differences.append("the table \(table.name) has \(copy.rows) rows, and not \(own.rows)")
            } else if own != copy {
                report.differences.append("rows of the table \(table.name) differ")
            }
            rows += UInt64(own.rows)
            progress(Progress(step: .comparison, done: rows, total: total))
        }
        let present = try source.blobs.sizes()
        let there = try target.blobs.sizes()
        for (digest, size) in records.neededBlobs(amongOptional: { present[$0] != nil })
            .sorted(by: { $0.key.hex < $1.key.hex })
        {
            report.blobs += 1
            report.blobBytes += size
            if let fault = try target.blobs.fault(digest, size: size, present: there[digest], quick: quick) {
                report.differences.append("the model file \(digest.hex): \(fault)")
            }
        }
        report.unfinishedUploads = try source.tables.store.uploadSessions().filter { $0.finishedMicroseconds == nil }
            .count
    }
}

extension RecordCheck {
    /// The model files that a copy needs, with their lengths.
    func neededBlobs(amongOptional isThere: (SHA256Digest) -> Bool) -> [SHA256Digest: UInt64] {
        requiredBlobs.merging(optionalBlobs.filter { isThere($0.key) }) { needed, _ in needed }
    }
}
