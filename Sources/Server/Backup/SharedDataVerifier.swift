import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthStoragePostgres
import HearthStorageS3
import HearthStorageSQL

/// Checks every record and every model file of a database and a store that servers share, also while they work. It
/// changes nothing, unless it gets right copies of damaged model files.
package struct SharedDataVerifier {
    private let place: SharedPlace

    package init(_ place: SharedPlace) { self.place = place }

    /// Blocks until all is read.
    ///
    /// - Parameters:
    ///   - quick: looks only whether model files are there with their lengths, and does not read them.
    ///   - source: has right copies of model files that are damaged; nil to change nothing.
    package func run(quick: Bool = false, repairingFrom source: RepairSource? = nil) throws -> DataVerifier.Report {
        var report = DataVerifier.Report(
            data: place.name, counts: .init(), blobs: 0, blobBytes: 0, setAside: 0, problems: [])
        let tables = try PostgresTables(place.database)
        do {
            let records = try tables.reading { () throws -> RecordCheck in
                try checkMarks(tables, &report)
                return try RecordCheck(tables.store)
            }
            report.counts = records.counts
            report.problems += records.problems
            report.repaired = source == nil ? nil : 0
            try checkBlobs(records, tables, quick: quick, source, &report)
        } catch let error as StorageError where error.code == .corrupt {
            report.problems.append(damage(error.message))
        }
        return report
    }

    private func checkMarks(_ tables: PostgresTables, _ report: inout DataVerifier.Report) throws {
        if let source = try tables.store.value(of: .incomplete) {
            report.problems.append(
                DataProblem(
                    "database", place.database.place, "it is a copy of \(source) that is not complete",
                    remedy: "Run the same `hearth admin copy` again, which continues."))
        }
        let id = try tables.folderID()
        if let found = try place.objects.folderID(), found != id {
            report.problems.append(
                DataProblem(
                    "folder", place.store.configuration.place, "the model files belong to other records",
                    remedy: "Name the store that belongs to this database."))
        }
        let keys = try tables.store.signingKeys()
        for key in keys where !key.isRetired && key.secret.count != SigningKey.secretBytes {
            report.problems.append(secret("signing key \(key.number)", "it has \(key.secret.count) bytes, not 32"))
        }
        if !keys.contains(where: { !$0.isRetired }) {
            report.problems.append(secret(place.database.place, "it contains no signing key that is in use"))
        }
        let counts = try tables.rows(
            """
            SELECT id, coalesce((SELECT sum(count) FROM installation_count WHERE project = project.id), 0) AS counted,
                (SELECT count(*) FROM installation WHERE installation.project = project.id) AS found FROM project
            """, []
        ) { row in (row.text(.id), row.integer(.counted), row.integer(.found)) }
        for (project, counted, found) in counts where counted != found {
            report.problems.append(damage("the project \(project) counts \(counted) installations and has \(found)"))
        }
    }

    private func checkBlobs(
        _ records: RecordCheck, _ tables: PostgresTables, quick: Bool, _ source: RepairSource?,
        _ report: inout DataVerifier.Report
    ) throws {
        let blobs = StoreBlobs(objects: place.objects)
        let present = try blobs.sizes()
        report.setAside = try place.objects.trashCount()
        report.orphans =
            present.keys.filter {
                records.requiredBlobs[$0] == nil && records.optionalBlobs[$0] == nil
            }.count
        let needed = records.neededBlobs(amongOptional: { present[$0] != nil })
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            guard let text = try blobs.fault(digest, size: size, present: present[digest], quick: quick) else {
                report.countRight(size)
                continue
            }
            // A server may have removed the file after the records were read, together with the last record that names it.
            let now = try tables.reading { try RecordCheck(tables.store) }
            guard now.requiredBlobs[digest] ?? now.optionalBlobs[digest] != nil else { continue }
            let fault = DataProblem(
                "file", "blobs/\(digest.hex) in \(blobs.name)", text, remedy: DataProblem.fileRemedy)
            if let path = source?.file(digest, size: size) {
                try report.replace(fault, size: size) { try place.objects.put(path, as: digest, size: size) }
            } else {
                report.problems.append(fault)
            }
        }
    }

    private func damage(_ text: String) -> DataProblem {
        DataProblem(
            "database", place.database.place, text,
            remedy: "Stop the servers, and copy a backup to an empty database and store.")
    }

    private func secret(_ subject: String, _ text: String) -> DataProblem {
        DataProblem(
            "secret", subject, text,
            remedy: "Copy a backup to an empty database and store; a new key makes all issued tokens and links invalid."
        )
    }
}
