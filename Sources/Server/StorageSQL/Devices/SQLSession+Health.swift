import HearthCatalog
import HearthStorage
import HearthWire

extension SQLSession {
    func add(_ health: ModelHealth, project: String, nowMicroseconds: Int64) throws {
        guard let model = try model(displayName: health.model, project: project) else { return }
        let version = try count(
            "SELECT coalesce(max(number), ?) FROM version WHERE model = ? AND sha256 = ?",
            [.int(AdoptionSample.other), .integer(model.id), .text(health.modelHash)])
        let minute = nowMicroseconds / 60_000_000
        try addHealth(HealthCounts(health), model: model.id, version: version, minutes: 1, start: minute)
    }

    private func addHealth(
        _ counts: HealthCounts, model: Int64, version: Int64, minutes: Int64, start: Int64
    ) throws {
        let key: [SQLValue] = [.integer(model), .integer(version), .integer(minutes), .integer(start)]
        let known: HealthCounts? = try connection.row(Self.health.lookUp, key) { (row) throws(StorageError) in
            try row.json(.body)
        }
        var sum = known ?? HealthCounts()
        sum.add(counts)
        try connection.run(Self.health.replacement, key + [.json(sum)])
    }

    private static let health = SQLTable(
        "health", [.model, .version, .minutes, .start, .body], key: [.model, .version, .minutes, .start])

    func health(model: Int64, sinceMinute: Int64) throws -> [Int: HealthCounts] {
        let rows: [(Int, HealthCounts)] = try connection.rows(
            "SELECT version, body FROM health WHERE model = ? AND start + minutes > ?",
            [.integer(model), .integer(sinceMinute)]
        ) { (row) throws(StorageError) in (row.int(.version), try row.json(.body)) }
        return rows.reduce(into: [:]) { $0[$1.0, default: HealthCounts()].add($1.1) }
    }

    func hasHealthToFold(nowMicroseconds: Int64) throws -> Bool {
        let now = nowMicroseconds / 60_000_000
        return try HealthCounts.periods.contains { period in
            try count(
                "SELECT EXISTS (SELECT 1 FROM health WHERE minutes = ? AND start < ?)",
                [.integer(period.minutes), .integer(now - period.kept)]) > 0
        }
    }

    func foldHealth(nowMicroseconds: Int64, limit: Int) throws -> Int {
        let now = nowMicroseconds / 60_000_000
        var folded = 0
        for (index, period) in HealthCounts.periods.enumerated() {
            let next = HealthCounts.periods.dropFirst(index + 1).first?.minutes
            let old: [(Int64, Int64, Int64, HealthCounts)] = try connection.rows(
                """
                SELECT model, version, start, body FROM health WHERE minutes = ? AND start < ?
                ORDER BY model, version, start LIMIT ?
                """,
                [.integer(period.minutes), .integer(now - period.kept), .int(limit - folded)]
            ) { (row) throws(StorageError) in
                (row.integer(.model), row.integer(.version), row.integer(.start), try row.json(.body))
            }
            for (model, version, start, counts) in old {
                try connection.run(
                    Self.health.deletion,
                    [.integer(model), .integer(version), .integer(period.minutes), .integer(start)])
                guard let next else { continue }
                try addHealth(counts, model: model, version: version, minutes: next, start: start - start % next)
            }
            folded += old.count
        }
        return folded
    }
}
