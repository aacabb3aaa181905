import HearthCatalog
import HearthStorage

extension SQLiteSession {
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
            WHERE project = ? AND experiment = ? ORDER BY installation LIMIT ? OFFSET ?
            """,
            [.text(project), .text(experiment), .integer(Int64(limit)), .integer(Int64(skipping))], Columns.unit)
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

    func unitCounts(experiment: String, project: String) throws -> [Int: Int] {
        let counts = try connection.rows(
            "SELECT variant, count(*) FROM experiment_unit WHERE project = ? AND experiment = ? GROUP BY variant",
            [.text(project), .text(experiment)]
        ) { (row) throws(StorageError) in (Int(row.integer(0)), Int(row.integer(1))) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    func variantTotals(experiment: String, project: String) throws -> [VariantTotal] {
        try connection.rows(
            """
            SELECT variant, metric, count(*), sum(sum), sum(sum * sum), sum(sum / count), sum(sum / count * sum / count)
            FROM experiment_total JOIN experiment_unit USING (project, experiment, installation)
            WHERE project = ? AND experiment = ? GROUP BY variant, metric ORDER BY variant, metric
            """,
            [.text(project), .text(experiment)]
        ) { (row) throws(StorageError) in
            VariantTotal(
                variant: Int(row.integer(0)), metric: Int(row.integer(1)), installations: Int(row.integer(2)),
                sum: row.real(3), sumOfSquares: row.real(4), meanSum: row.real(5), meanSumOfSquares: row.real(6))
        }
    }

    func insert(_ unit: ExperimentUnit) throws {
        try insert(into: "experiment_unit", Columns.unit, Columns.values(of: unit))
    }

    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws {
        try connection.run(
            """
            INSERT INTO experiment_total VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum
            """,
            [
                .text(unit.projectID), .text(unit.experiment), .text(unit.installation), .integer(Int64(metric)),
                .integer(Int64(total.count)), .real(total.sum),
            ])
    }
}
