import HearthCatalog
import HearthStorage

extension SQLSession {
    func points(experiment: String, project: String) throws -> [ExperimentPoint] {
        try connection.rows(
            "SELECT \(Columns.point) FROM experiment_point WHERE project = ? AND experiment = ? ORDER BY at_us",
            [.text(project), .text(experiment)], Columns.point)
    }

    func pointTimes(experiment: String, project: String) throws -> [Int64] {
        try connection.integers(
            "SELECT at_us FROM experiment_point WHERE project = ? AND experiment = ? ORDER BY at_us",
            [.text(project), .text(experiment)])
    }

    func put(_ point: ExperimentPoint) throws {
        try replace(
            in: "experiment_point", key: "project, experiment, at_us", Columns.point,
            [
                .text(point.projectID), .text(point.experiment), .integer(point.atMicroseconds),
                try Columns.json(point.variants),
            ])
    }

    func deletePoints(experiment: String, project: String, times: [Int64]) throws {
        for time in times {
            try connection.run(
                "DELETE FROM experiment_point WHERE project = ? AND experiment = ? AND at_us = ?",
                [.text(project), .text(experiment), .integer(time)])
        }
    }
}

extension Columns {
    static let point = "project, experiment, at_us, variants"

    static func point(_ row: any SQLRow) throws(StorageError) -> ExperimentPoint {
        ExperimentPoint(
            projectID: row.text(0), experiment: row.text(1), atMicroseconds: row.integer(2),
            variants: try decode([ExperimentPoint.Variant].self, row.text(3)))
    }
}
