import HearthCatalog
import HearthStorage

extension Columns {
    static let experiment = "project, name, body, is_running, created_us, created_by"

    static func experiment(_ row: SQLiteRow) throws(StorageError) -> ExperimentRecord {
        ExperimentRecord(
            projectID: row.text(0), name: row.text(1), body: row.text(2), isRunning: row.integer(3) != 0,
            createdMicroseconds: row.integer(4), createdBy: row.text(5))
    }

    static func values(of experiment: ExperimentRecord) -> [SQLiteValue] {
        [
            .text(experiment.projectID), .text(experiment.name), .text(experiment.body),
            .integer(experiment.isRunning ? 1 : 0), .integer(experiment.createdMicroseconds),
            .text(experiment.createdBy),
        ]
    }

    static let unit = "project, experiment, installation, variant, exposed_us"

    /// Without its totals.
    static func unit(_ row: SQLiteRow) throws(StorageError) -> ExperimentUnit {
        ExperimentUnit(
            projectID: row.text(0), experiment: row.text(1), installation: row.text(2), variant: Int(row.integer(3)),
            exposedMicroseconds: row.integer(4))
    }

    static func values(of unit: ExperimentUnit) -> [SQLiteValue] {
        [
            .text(unit.projectID), .text(unit.experiment), .text(unit.installation), .integer(Int64(unit.variant)),
            .integer(unit.exposedMicroseconds),
        ]
    }

    static let journal = "project, installation, name, last, touched_us"

    static func journal(_ row: SQLiteRow) throws(StorageError) -> EventJournal {
        EventJournal(
            projectID: row.text(0), installation: row.text(1), name: row.text(2), last: row.integer(3),
            touchedMicroseconds: row.integer(4))
    }

    static func values(of journal: EventJournal) -> [SQLiteValue] {
        [
            .text(journal.projectID), .text(journal.installation), .text(journal.name), .integer(journal.last),
            .integer(journal.touchedMicroseconds),
        ]
    }

    static let eventDay = "project, day, event, model, count, sum"

    static func eventDay(_ row: SQLiteRow) throws(StorageError) -> EventDay {
        EventDay(
            projectID: row.text(0), day: row.integer(1), event: row.text(2), model: row.text(3), count: row.integer(4),
            sum: row.real(5))
    }

    static func values(of day: EventDay) -> [SQLiteValue] {
        [
            .text(day.projectID), .integer(day.day), .text(day.event), .text(day.model), .integer(day.count),
            .real(day.sum),
        ]
    }
}
