import HearthCatalog
import HearthStorage

extension SQLSession {
    func rolloutWatches() throws -> [RolloutWatchRecord] {
        try connection.rows("SELECT \(Columns.rolloutWatch) FROM rollout_watch ORDER BY model, release") {
            (row) throws(StorageError) in
            RolloutWatchRecord(
                modelID: row.integer(0), release: Int(row.integer(1)), tests: row.text(2), devices: row.bytes(3),
                outside: row.bytes(4))
        }
    }

    func put(_ watch: RolloutWatchRecord) throws {
        try replace(
            in: "rollout_watch", key: "model, release", Columns.rolloutWatch,
            [
                .integer(watch.modelID), .integer(Int64(watch.release)), .text(watch.tests), .bytes(watch.devices),
                .bytes(watch.outside),
            ])
    }

    func deleteRolloutWatch(of release: Int, model: Int64) throws {
        try connection.run(
            "DELETE FROM rollout_watch WHERE model = ? AND release = ?", [.integer(model), .integer(Int64(release))])
    }
}

extension Columns {
    static let rolloutWatch = "model, release, tests, devices, outside"
}
