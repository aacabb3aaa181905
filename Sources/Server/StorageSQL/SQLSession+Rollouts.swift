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
        try connection.run(
            "DELETE FROM rollout_sighting WHERE model = ? AND release = ?", [.integer(model), .integer(Int64(release))])
    }

    func rolloutSightingIDs() throws -> [Int64] {
        try connection.integers("SELECT id FROM rollout_sighting ORDER BY id")
    }

    func rolloutSightings(id: Int64) throws -> RolloutSightings? {
        try connection.row(
            "SELECT id, model, release, observations FROM rollout_sighting WHERE id = ?", [.integer(id)]
        ) { (row) throws(StorageError) in
            RolloutSightings(
                id: row.integer(0), modelID: row.integer(1), release: Int(row.integer(2)), observations: row.bytes(3))
        }
    }

    func insert(_ sightings: RolloutSightings) throws {
        try insert(
            into: "rollout_sighting", "model, release, observations",
            [
                .integer(sightings.modelID), .integer(Int64(sightings.release)), .bytes(sightings.observations),
            ])
    }

    func deleteRolloutSightings(_ ids: [Int64]) throws -> Int {
        try ids.reduce(0) { count, id in
            count + (try connection.run("DELETE FROM rollout_sighting WHERE id = ?", [.integer(id)]))
        }
    }
}

extension Columns {
    static let rolloutWatch = "model, release, tests, devices, outside"
}
