import HearthCatalog
import HearthStorage

extension SQLSession {
    func pins(project: String?) throws -> [Pin] {
        // A pin that replaced another one has a new rowid.
        try records(
            "WHERE project = ?1 OR ?1 IS NULL ORDER BY created_us DESC, rowid DESC", [.optional(project)])
    }

    func put(_ pin: Pin) throws {
        _ = try remove(pin)
        try insertRow(pin)
        changesServing = true
    }

    func delete(_ pin: Pin) throws {
        guard try remove(pin) else { throw StorageError(.notFound, "There is no such pin") }
        changesServing = true
    }

    /// Removes the pin of the same device for the same model or experiment. Returns whether there was one.
    private func remove(_ pin: Pin) throws(StorageError) -> Bool {
        let (column, subject): (String, SQLValue) =
            switch pin.target {
            case .version(_, let model): ("model", .integer(model))
            case .variant(_, let experiment): ("experiment", .text(experiment))
            }
        return try connection.run(
            "DELETE FROM pin WHERE project = ? AND kind = ? AND device = ? AND \(column) = ?",
            [.text(pin.projectID)] + pin.device.values() + [subject]) == 1
    }

    func deletePins(of installation: Installation) throws {
        let deleted = try connection.run(
            "DELETE FROM pin WHERE project = ? AND kind = 'installation' AND device = ?",
            [.text(installation.projectID), .text(installation.fid)])
        if deleted > 0 { changesServing = true }
    }
}

extension Pin: SQLRecord {
    static let table = SQLTable(
        "pin", [.project, .kind, .device, .model, .version, .experiment, .variant, .created_us, .created_by])

    init(_ row: SQLRow) throws(StorageError) {
        let target: Target =
            if let model = row.optionalInteger(.model) {
                .version(row.int(.version), model: model)
            } else {
                .variant(row.text(.variant), experiment: row.text(.experiment))
            }
        self.init(
            projectID: row.text(.project), device: try Device(row), target: target,
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by))
    }

    func values() -> [SQLValue] {
        let subject: [SQLValue] =
            switch target {
            case .version(let number, let model): [.integer(model), .int(number), .null, .null]
            case .variant(let variant, let experiment): [.null, .null, .text(experiment), .text(variant)]
            }
        return [.text(projectID)] + device.values() + subject + [.integer(createdMicroseconds), .text(createdBy)]
    }
}

extension Pin.Device {
    fileprivate init(_ row: SQLRow) throws(StorageError) {
        switch row.text(.kind) {
        case "installation": self = .installation(row.text(.device))
        case "tag": self = .tag(row.text(.device))
        case let kind: throw StorageError(.corrupt, "The database holds a pin of an unknown kind '\(kind)'")
        }
    }

    /// Of the columns `kind` and `device`.
    fileprivate func values() -> [SQLValue] {
        switch self {
        case .installation(let id): [.text("installation"), .text(id)]
        case .tag(let tag): [.text("tag"), .text(tag)]
        }
    }
}
