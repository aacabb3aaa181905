import HearthCatalog
import HearthStorage

extension SQLSession {
    func rolloutWatches() throws -> [RolloutWatchRecord] { try records("ORDER BY model, release") }

    func put(_ watch: RolloutWatchRecord) throws { try putRow(watch) }

    func deleteRolloutWatch(of release: Int, model: Int64) throws {
        try connection.run(RolloutWatchRecord.table.deletion, [.integer(model), .int(release)])
        try connection.run(
            "DELETE FROM rollout_sighting WHERE model = ? AND release = ?", [.integer(model), .int(release)])
    }

    func rolloutSightingIDs() throws -> [Int64] {
        try connection.integers("SELECT id FROM rollout_sighting ORDER BY id")
    }

    func rolloutSightings(id: Int64) throws -> RolloutSightings? { try record(key: [.integer(id)]) }

    func insert(_ sightings: RolloutSightings) throws { try insertRow(sightings) }

    func deleteRolloutSightings(_ ids: [Int64]) throws -> Int {
        try ids.reduce(0) { count, id in
            count + (try connection.run(RolloutSightings.table.deletion, [.integer(id)]))
        }
    }
}

extension RolloutWatchRecord: SQLRecord {
    static let table = SQLTable(
        "rollout_watch", [.model, .release, .tests, .devices, .outside], key: [.model, .release])

    init(_ row: SQLRow) {
        self.init(
            modelID: row.integer(.model), release: row.int(.release), tests: row.text(.tests),
            devices: row.bytes(.devices), outside: row.bytes(.outside))
    }

    func values() -> [SQLValue] {
        [.integer(modelID), .int(release), .text(tests), .bytes(devices), .bytes(outside)]
    }
}

extension RolloutSightings: SQLRecord {
    static let table = SQLTable(
        "rollout_sighting", [.id, .model, .release, .observations], key: [.id], generated: .id)

    init(_ row: SQLRow) {
        self.init(
            id: row.integer(.id), modelID: row.integer(.model), release: row.int(.release),
            observations: row.bytes(.observations))
    }

    func values() -> [SQLValue] { [.integer(modelID), .int(release), .bytes(observations)] }
}
