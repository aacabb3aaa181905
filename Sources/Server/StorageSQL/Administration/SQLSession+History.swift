import HearthCatalog
import HearthStorage

extension SQLSession {
    func points(experiment: String, project: String) throws -> [ExperimentPoint] {
        try records("WHERE project = ? AND experiment = ? ORDER BY at_us", [.text(project), .text(experiment)])
    }

    func pointTimes(experiment: String, project: String) throws -> [Int64] {
        try connection.integers(
            "SELECT at_us FROM experiment_point WHERE project = ? AND experiment = ? ORDER BY at_us",
            [.text(project), .text(experiment)])
    }

    func put(_ point: ExperimentPoint) throws { try putRow(point) }

    func deletePoints(experiment: String, project: String, times: [Int64]) throws {
        for time in times {
            try connection.run(ExperimentPoint.table.deletion, [.text(project), .text(experiment), .integer(time)])
        }
    }
}

extension ExperimentPoint: SQLRecord {
    static let table = SQLTable(
        "experiment_point", [.project, .experiment, .at_us, .variants], key: [.project, .experiment, .at_us])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            projectID: row.text(.project), experiment: row.text(.experiment), atMicroseconds: row.integer(.at_us),
            variants: try row.json(.variants))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [.text(projectID), .text(experiment), .integer(atMicroseconds), try .json(variants)]
    }
}
