import HearthCatalog
import HearthExperiments
import HearthWire

/// Experiments in their records.
enum ExperimentCoding {
    static func experiment(_ record: ExperimentRecord) throws -> Experiment {
        try WireJSON.decode(Experiment.self, from: record.body.utf8)
    }

    static func record(
        _ experiment: Experiment, createdMicroseconds: Int64, createdBy: String
    ) throws -> ExperimentRecord {
        ExperimentRecord(
            projectID: experiment.projectID, name: experiment.name,
            body: String(decoding: try WireJSON.encode(experiment), as: UTF8.self),
            isRunning: experiment.state == .running, createdMicroseconds: createdMicroseconds, createdBy: createdBy)
    }

    /// The record with what is new.
    static func record(_ old: ExperimentRecord, _ experiment: Experiment) throws -> ExperimentRecord {
        try record(experiment, createdMicroseconds: old.createdMicroseconds, createdBy: old.createdBy)
    }
}
