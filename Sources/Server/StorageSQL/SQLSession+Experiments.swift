import HearthCatalog
import HearthStorage

extension SQLSession {
    func experiment(_ name: String, project: String) throws -> ExperimentRecord? {
        try connection.row(
            "SELECT \(Columns.experiment) FROM experiment WHERE project = ? AND name = ?",
            [.text(project), .text(name)], Columns.experiment)
    }

    func experiments(project: String) throws -> [ExperimentRecord] {
        try connection.rows(
            "SELECT \(Columns.experiment) FROM experiment WHERE project = ? ORDER BY created_us DESC, name",
            [.text(project)], Columns.experiment)
    }

    func runningExperiments() throws -> [ExperimentRecord] {
        try connection.rows(
            "SELECT \(Columns.experiment) FROM experiment WHERE is_running = 1 ORDER BY project, name", [],
            Columns.experiment)
    }

    func insert(_ experiment: ExperimentRecord) throws {
        try insert(into: "experiment", Columns.experiment, Columns.values(of: experiment))
        changesServing = true
    }

    func update(_ experiment: ExperimentRecord) throws {
        try update(
            "experiment", Columns.experiment, Columns.values(of: experiment), where: "project = ? AND name = ?",
            [.text(experiment.projectID), .text(experiment.name)])
        changesServing = true
    }

    func delete(_ experiment: ExperimentRecord) throws {
        try delete(
            from: "experiment", where: "project = ? AND name = ?",
            [.text(experiment.projectID), .text(experiment.name)])
        changesServing = true
    }

    func unitVariant(_ installation: String, experiment: String, project: String) throws -> Int? {
        try connection.row(
            "SELECT variant FROM experiment_unit WHERE project = ? AND experiment = ? AND installation = ?",
            [.text(project), .text(experiment), .text(installation)]
        ) { (row) throws(StorageError) in Int(row.integer(0)) }
    }

    func units(experiment: String, project: String, skipping: Int, limit: Int) throws -> [ExperimentUnit] {
        let units = try connection.rows(
            """
            SELECT \(Columns.unit) FROM experiment_unit
            WHERE project = ? AND experiment = ? AND \(Self.isNotPinned) ORDER BY installation LIMIT ? OFFSET ?
            """,
            [.text(project), .text(experiment), .text(project), .integer(Int64(limit)), .integer(Int64(skipping))],
            Columns.unit)
        guard let first = units.first, let last = units.last else { return [] }
        let totals = try connection.rows(
            """
            SELECT installation, metric, count, sum FROM experiment_total
            WHERE project = ? AND experiment = ? AND installation >= ? AND installation <= ?
            """,
            [.text(project), .text(experiment), .text(first.installation), .text(last.installation)]
        ) { (row) throws(StorageError) in
            (row.text(0), Int(row.integer(1)), MetricTotal(count: Int(row.integer(2)), sum: row.real(3)))
        }
        let byInstallation = Dictionary(grouping: totals, by: \.0)
        return units.map { unit in
            var unit = unit
            for (_, metric, total) in byInstallation[unit.installation] ?? [] { unit.totals[metric] = total }
            return unit
        }
    }

    /// The devices of testers would distort the results. With the project as its parameter.
    private static let isNotPinned =
        "installation NOT IN (SELECT device FROM pin WHERE project = ? AND kind = 'installation')"

    func unitCounts(experiment: String, project: String) throws -> [Int: Int] {
        let counts = try connection.rows(
            """
            SELECT variant, count(*) FROM experiment_unit
            WHERE project = ? AND experiment = ? AND \(Self.isNotPinned) GROUP BY variant
            """,
            [.text(project), .text(experiment), .text(project)]
        ) { (row) throws(StorageError) in (Int(row.integer(0)), Int(row.integer(1))) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    func variantTotals(experiment: String, project: String) throws -> [VariantTotal] {
        // PostgreSQL refuses to compute a square that is too small for a number. Sums as small count as 0.
        try connection.rows(
            """
            SELECT variant, metric, count(*), count(nullif(sum, 0)), sum(sum), sum(sum * sum), sum(sum / count),
                sum(sum / count * sum / count)
            FROM (
                SELECT variant, metric, count, CASE WHEN abs(sum) < 1e-100 THEN 0.0 ELSE sum END AS sum
                FROM experiment_total JOIN experiment_unit USING (project, experiment, installation)
                WHERE project = ? AND experiment = ? AND \(Self.isNotPinned)) AS totals
            GROUP BY variant, metric ORDER BY variant, metric
            """,
            [.text(project), .text(experiment), .text(project)]
        ) { (row) throws(StorageError) in
            VariantTotal(
                variant: Int(row.integer(0)), metric: Int(row.integer(1)), installations: Int(row.integer(2)),
                nonzero: Int(row.integer(3)), sum: row.real(4), sumOfSquares: row.real(5), meanSum: row.real(6),
                meanSumOfSquares: row.real(7))
        }
    }

    func insert(_ unit: ExperimentUnit) throws {
        try insert(into: "experiment_unit", Columns.unit, Columns.values(of: unit))
    }

    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws {
        try connection.run(
            """
            INSERT INTO experiment_total VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (project, experiment, installation, metric) DO UPDATE
            SET count = experiment_total.count + excluded.count, sum = experiment_total.sum + excluded.sum
            """,
            [
                .text(unit.projectID), .text(unit.experiment), .text(unit.installation), .integer(Int64(metric)),
                .integer(Int64(total.count)), .real(total.sum),
            ])
    }
}

extension SQLSession {
    func journal(_ name: String, installation: String, project: String) throws -> EventJournal? {
        try connection.row(
            "SELECT \(Columns.journal) FROM event_journal WHERE project = ? AND installation = ? AND name = ?",
            [.text(project), .text(installation), .text(name)], Columns.journal)
    }

    func put(_ journal: EventJournal, keeping: Int) throws {
        try replace(
            in: "event_journal", key: "project, installation, name", Columns.journal, Columns.values(of: journal))
        try connection.run(
            """
            DELETE FROM event_journal WHERE project = ?1 AND installation = ?2 AND name IN (
                SELECT name FROM event_journal WHERE project = ?1 AND installation = ?2
                ORDER BY touched_us DESC, name LIMIT \(Int64.max) OFFSET ?3)
            """,
            [.text(journal.projectID), .text(journal.installation), .integer(Int64(keeping))])
    }

    func eventDays(project: String, limit: Int) throws -> [EventDay] {
        try connection.rows(
            "SELECT \(Columns.eventDay) FROM event_day WHERE project = ? ORDER BY day DESC, event, model LIMIT ?",
            [.text(project), .integer(Int64(limit))], Columns.eventDay)
    }

    func eventDayCount(project: String, day: Int64) throws -> Int {
        Int(
            try count(
                "SELECT count(*) FROM event_day WHERE project = ? AND day = ?", [.text(project), .integer(day)]))
    }

    func add(_ events: EventDay) throws {
        try connection.run(
            """
            INSERT INTO event_day (\(Columns.eventDay)) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (project, day, event, model) DO UPDATE
            SET count = event_day.count + excluded.count, sum = event_day.sum + excluded.sum
            """,
            Columns.values(of: events))
    }

    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) throws -> Int {
        try connection.run("DELETE FROM event_day WHERE day < ?", [.integer(day)])
            + connection.run("DELETE FROM event_journal WHERE touched_us < ?", [.integer(microseconds)])
    }
}

extension Columns {
    static let experiment = "project, name, body, is_running, ended_us, created_us, created_by"

    static func experiment(_ row: any SQLRow) throws(StorageError) -> ExperimentRecord {
        ExperimentRecord(
            projectID: row.text(0), name: row.text(1), body: row.text(2), isRunning: row.integer(3) != 0,
            endedMicroseconds: row.optionalInteger(4), createdMicroseconds: row.integer(5), createdBy: row.text(6))
    }

    static func values(of experiment: ExperimentRecord) -> [SQLValue] {
        [
            .text(experiment.projectID), .text(experiment.name), .text(experiment.body),
            .integer(experiment.isRunning ? 1 : 0), .optional(experiment.endedMicroseconds),
            .integer(experiment.createdMicroseconds), .text(experiment.createdBy),
        ]
    }

    static let unit = "project, experiment, installation, variant, exposed_us"

    /// Without totals.
    static func unit(_ row: any SQLRow) throws(StorageError) -> ExperimentUnit {
        ExperimentUnit(
            projectID: row.text(0), experiment: row.text(1), installation: row.text(2), variant: Int(row.integer(3)),
            exposedMicroseconds: row.integer(4))
    }

    static func values(of unit: ExperimentUnit) -> [SQLValue] {
        [
            .text(unit.projectID), .text(unit.experiment), .text(unit.installation), .integer(Int64(unit.variant)),
            .integer(unit.exposedMicroseconds),
        ]
    }

    static let journal = "project, installation, name, last, touched_us"

    static func journal(_ row: any SQLRow) throws(StorageError) -> EventJournal {
        EventJournal(
            projectID: row.text(0), installation: row.text(1), name: row.text(2), last: row.integer(3),
            touchedMicroseconds: row.integer(4))
    }

    static func values(of journal: EventJournal) -> [SQLValue] {
        [
            .text(journal.projectID), .text(journal.installation), .text(journal.name), .integer(journal.last),
            .integer(journal.touchedMicroseconds),
        ]
    }

    static let eventDay = "project, day, event, model, count, sum"

    static func eventDay(_ row: any SQLRow) throws(StorageError) -> EventDay {
        EventDay(
            projectID: row.text(0), day: row.integer(1), event: row.text(2), model: row.text(3), count: row.integer(4),
            sum: row.real(5))
    }

    static func values(of day: EventDay) -> [SQLValue] {
        [
            .text(day.projectID), .integer(day.day), .text(day.event), .text(day.model), .integer(day.count),
            .real(day.sum),
        ]
    }
}
