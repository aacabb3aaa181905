import HearthCatalog
import HearthStorage

extension SQLSession {
    func pins(project: String?) throws -> [Pin] {
        // A pin that replaced another one has a new rowid.
        try connection.rows(
            """
            SELECT \(Columns.pin) FROM pin WHERE project = ?1 OR ?1 IS NULL ORDER BY created_us DESC, rowid DESC
            """, [project.map { .text($0) } ?? .null], Columns.pin)
    }

    func put(_ pin: Pin) throws {
        _ = try remove(pin)
        try insert(into: "pin", Columns.pin, Columns.values(of: pin))
        changesServing = true
    }

    func delete(_ pin: Pin) throws {
        guard try remove(pin) else { throw StorageError(.notFound, "There is no such pin") }
        changesServing = true
    }

    /// Removes the pin of the same device for the same model or experiment. Returns whether there was one.
    private func remove(_ pin: Pin) throws(StorageError) -> Bool {
        let (kind, device) = Columns.device(of: pin)
        let (column, subject): (String, SQLValue) =
            switch pin.target {
            case .version(_, let model): ("model", .integer(model))
            case .variant(_, let experiment): ("experiment", .text(experiment))
            }
        return try connection.run(
            "DELETE FROM pin WHERE project = ? AND kind = ? AND device = ? AND \(column) = ?",
            [.text(pin.projectID), kind, device, subject]) == 1
    }

    func deletePins(of installation: Installation) throws {
        let deleted = try connection.run(
            "DELETE FROM pin WHERE project = ? AND kind = 'installation' AND device = ?",
            [.text(installation.projectID), .text(installation.fid)])
        if deleted > 0 { changesServing = true }
    }
}

extension Columns {
    static let pin = "project, kind, device, model, version, experiment, variant, created_us, created_by"

    static func pin(_ row: any SQLRow) throws(StorageError) -> Pin {
        let device: Pin.Device
        switch row.text(1) {
        case "installation": device = .installation(row.text(2))
        case "tag": device = .tag(row.text(2))
        case let kind: throw StorageError(.corrupt, "The database holds a pin of an unknown kind '\(kind)'")
        }
        let target: Pin.Target =
            if let model = row.optionalInteger(3) {
                .version(Int(row.integer(4)), model: model)
            } else {
                .variant(row.text(6), experiment: row.text(5))
            }
        return Pin(
            projectID: row.text(0), device: device, target: target, createdMicroseconds: row.integer(7),
            createdBy: row.text(8))
    }

    static func values(of pin: Pin) -> [SQLValue] {
        let (kind, device) = device(of: pin)
        let target: [SQLValue] =
            switch pin.target {
            case .version(let number, let model): [.integer(model), .integer(Int64(number)), .null, .null]
            case .variant(let variant, let experiment): [.null, .null, .text(experiment), .text(variant)]
            }
        return [.text(pin.projectID), kind, device] + target
            + [.integer(pin.createdMicroseconds), .text(pin.createdBy)]
    }

    static func device(of pin: Pin) -> (kind: SQLValue, device: SQLValue) {
        switch pin.device {
        case .installation(let id): (.text("installation"), .text(id))
        case .tag(let tag): (.text("tag"), .text(tag))
        }
    }
}
