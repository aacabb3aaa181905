package import HearthCatalog
import HearthWire

/// Converts experiments to records and back.
package enum ExperimentCoding {
    package static func experiment(_ record: ExperimentRecord) throws -> Experiment {
        try WireJSON.decode(Experiment.self, from: record.body.utf8)
    }

    package static func record(
        _ experiment: Experiment, createdMicroseconds: Int64, createdBy: String
    ) throws -> ExperimentRecord {
        ExperimentRecord(
            projectID: experiment.projectID, name: experiment.name, body: try text(experiment),
            isRunning: experiment.state == .running, endedMicroseconds: experiment.endedMicroseconds,
            createdMicroseconds: createdMicroseconds, createdBy: createdBy)
    }

    /// The record with the experiment as it is now.
    package static func record(_ old: ExperimentRecord, _ experiment: Experiment) throws -> ExperimentRecord {
        var record = old
        record.body = try text(experiment)
        record.isRunning = experiment.state == .running
        record.endedMicroseconds = experiment.endedMicroseconds
        return record
    }

    private static func text(_ experiment: Experiment) throws -> String {
        String(decoding: try WireJSON.encode(experiment), as: UTF8.self)
    }
}
