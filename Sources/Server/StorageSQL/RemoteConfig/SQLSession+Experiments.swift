import HearthCatalog
import HearthStorage

extension SQLSession {
    func experiment(_ name: String, project: String) throws -> ExperimentRecord? {
        try record(key: [.text(project), .text(name)])
    }

    func experiments(project: String) throws -> [ExperimentRecord] {
        try records("WHERE project = ? ORDER BY created_us DESC, name", [.text(project)])
    }

    func runningExperiments() throws -> [ExperimentRecord] {
        try records("WHERE is_running = 1 ORDER BY project, name")
    }

    func insert(_ experiment: ExperimentRecord) throws { try insertRow(experiment, isServed: true) }

    func update(_ experiment: ExperimentRecord) throws { try updateRow(experiment, isServed: true) }

    func delete(_ experiment: ExperimentRecord) throws {
        try deleteRow(
            of: ExperimentRecord.table, key: [.text(experiment.projectID), .text(experiment.name)], isServed: true)
    }

    func unitVariant(_ installation: String, experiment: String, project: String) throws -> Int? {
        try connection.integer(
            "SELECT variant FROM experiment_unit WHERE project = ? AND experiment = ? AND installation = ?",
            [.text(project), .text(experiment), .text(installation)]
        ).map { Int($0) }
    }

    func units(experiment: String, project: String, skipping: Int, limit: Int) throws -> [ExperimentUnit] {
        let units: [ExperimentUnit] = try records(
            "WHERE project = ? AND experiment = ? AND \(Self.isNotPinned) ORDER BY installation LIMIT ? OFFSET ?",
            [.text(project), .text(experiment), .text(project), .int(limit), .int(skipping)])
        guard let first = units.first, let last = units.last else { return [] }
        let totals = try connection.rows(
            """
            SELECT installation, metric, count, sum FROM experiment_total
            WHERE project = ? AND experiment = ? AND installation >= ? AND installation <= ?
            """,
            [.text(project), .text(experiment), .text(first.installation), .text(last.installation)]
        ) { row in
            (row.text(.installation), row.int(.metric), MetricTotal(count: row.int(.count), sum: row.real(.sum)))
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
            SELECT variant, count(*) AS count FROM experiment_unit
            WHERE project = ? AND experiment = ? AND \(Self.isNotPinned) GROUP BY variant
            """,
            [.text(project), .text(experiment), .text(project)]
        ) { row in (row.int(.variant), row.int(.count)) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    func variantTotals(experiment: String, project: String) throws -> [VariantTotal] {
        // PostgreSQL refuses to compute a square that is too small for a number. Sums as small count as 0.
        try connection.rows(
            """
            SELECT variant, metric, count(*) AS installations, count(nullif(sum, 0)) AS nonzero, sum(sum) AS sum,
                sum(sum * sum) AS squares, sum(sum / count) AS means, sum(sum / count * sum / count) AS mean_squares
            FROM (
                SELECT variant, metric, count, CASE WHEN abs(sum) < 1e-100 THEN 0.0 ELSE sum END AS sum
                FROM experiment_total JOIN experiment_unit USING (project, experiment, installation)
                WHERE project = ? AND experiment = ? AND \(Self.isNotPinned)) AS totals
            GROUP BY variant, metric ORDER BY variant, metric
            """,
            [.text(project), .text(experiment), .text(project)]
        ) { row in
            VariantTotal(
                variant: row.int(.variant), metric: row.int(.metric), installations: row.int(.installations),
                nonzero: row.int(.nonzero), sum: row.real(.sum), sumOfSquares: row.real(.squares),
                meanSum: row.real(.means), meanSumOfSquares: row.real(.mean_squares))
        }
    }

    func insert(_ unit: ExperimentUnit) throws { try insertRow(unit) }

    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws {
        try connection.run(
            """
            INSERT INTO experiment_total (project, experiment, installation, metric, count, sum)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (project, experiment, installation, metric) DO UPDATE
            SET count = experiment_total.count + excluded.count, sum = experiment_total.sum + excluded.sum
            """,
            [
                .text(unit.projectID), .text(unit.experiment), .text(unit.installation), .int(metric),
                .int(total.count), .real(total.sum),
            ])
    }
}

extension SQLSession {
    func journal(_ name: String, installation: String, project: String) throws -> EventJournal? {
        try record(key: [.text(project), .text(installation), .text(name)])
    }

    func put(_ journal: EventJournal, keeping: Int) throws {
        try putRow(journal)
        try connection.run(
            """
            DELETE FROM event_journal WHERE project = ?1 AND installation = ?2 AND name IN (
                SELECT name FROM event_journal WHERE project = ?1 AND installation = ?2
                ORDER BY touched_us DESC, name LIMIT \(Int64.max) OFFSET ?3)
            """,
            [.text(journal.projectID), .text(journal.installation), .int(keeping)])
    }

    func eventDays(project: String, limit: Int) throws -> [EventDay] {
        try records("WHERE project = ? ORDER BY day DESC, event, model LIMIT ?", [.text(project), .int(limit)])
    }

    func eventDayCount(project: String, day: Int64) throws -> Int {
        Int(
            try count(
                "SELECT count(*) FROM event_day WHERE project = ? AND day = ?", [.text(project), .integer(day)]))
    }

    func add(_ events: EventDay) throws {
        try connection.run(
            """
            \(EventDay.table.insertion) ON CONFLICT (project, day, event, model) DO UPDATE
            SET count = event_day.count + excluded.count, sum = event_day.sum + excluded.sum
            """,
            events.values())
    }

    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) throws -> Int {
        try connection.run("DELETE FROM event_day WHERE day < ?", [.integer(day)])
            + connection.run("DELETE FROM event_journal WHERE touched_us < ?", [.integer(microseconds)])
    }
}

extension ExperimentRecord: SQLRecord {
    static let table = SQLTable(
        "experiment", [.project, .name, .body, .is_running, .ended_us, .created_us, .created_by],
        key: [.project, .name])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), name: row.text(.name), body: row.text(.body),
            isRunning: row.bool(.is_running), endedMicroseconds: row.optionalInteger(.ended_us),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by))
    }

    func values() -> [SQLValue] {
        [
            .text(projectID), .text(name), .text(body), .bool(isRunning), .optional(endedMicroseconds),
            .integer(createdMicroseconds), .text(createdBy),
        ]
    }
}

/// Without totals.
extension ExperimentUnit: SQLRecord {
    static let table = SQLTable("experiment_unit", [.project, .experiment, .installation, .variant, .exposed_us])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), experiment: row.text(.experiment), installation: row.text(.installation),
            variant: row.int(.variant), exposedMicroseconds: row.integer(.exposed_us))
    }

    func values() -> [SQLValue] {
        [.text(projectID), .text(experiment), .text(installation), .int(variant), .integer(exposedMicroseconds)]
    }
}

extension EventJournal: SQLRecord {
    static let table = SQLTable(
        "event_journal", [.project, .installation, .name, .last, .touched_us], key: [.project, .installation, .name])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), installation: row.text(.installation), name: row.text(.name),
            last: row.integer(.last), touchedMicroseconds: row.integer(.touched_us))
    }

    func values() -> [SQLValue] {
        [.text(projectID), .text(installation), .text(name), .integer(last), .integer(touchedMicroseconds)]
    }
}

extension EventDay: SQLRecord {
    static let table = SQLTable("event_day", [.project, .day, .event, .model, .count, .sum])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), day: row.integer(.day), event: row.text(.event), model: row.text(.model),
            count: row.integer(.count), sum: row.real(.sum))
    }

    func values() -> [SQLValue] {
        [.text(projectID), .integer(day), .text(event), .text(model), .integer(count), .real(sum)]
    }
}
