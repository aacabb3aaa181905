import HearthCatalog
import HearthStorage
import HearthWire

extension SQLSession {
    func add(_ health: ModelHealth, project: String, nowMicroseconds: Int64) throws {
        guard let model = try model(displayName: health.model, project: project) else { return }
        let version = try count(
            "SELECT coalesce(max(number), ?) FROM version WHERE model = ? AND sha256 = ?",
            [.integer(Int64(AdoptionSample.other)), .integer(model.id), .text(health.modelHash)])
        let minute = nowMicroseconds / 60_000_000
        try addHealth(HealthCounts(health), model: model.id, version: version, minutes: 1, start: minute)
    }

    private func addHealth(
        _ counts: HealthCounts, model: Int64, version: Int64, minutes: Int64, start: Int64
    ) throws {
        let key: [SQLValue] = [.integer(model), .integer(version), .integer(minutes), .integer(start)]
        let known = try connection.row(
            "SELECT body FROM health WHERE model = ? AND version = ? AND minutes = ? AND start = ?", key
        ) { (row) throws(StorageError) in try Columns.decode(HealthCounts.self, row.text(0)) }
        var sum = known ?? HealthCounts()
        sum.add(counts)
        try replace(
            in: "health", key: "model, version, minutes, start", "model, version, minutes, start, body",
            key + [try Columns.json(sum)])
    }

    func health(model: Int64, sinceMinute: Int64) throws -> [Int: HealthCounts] {
        let rows = try connection.rows(
            "SELECT version, body FROM health WHERE model = ? AND start + minutes > ?",
            [.integer(model), .integer(sinceMinute)]
        ) { (row) throws(StorageError) in
            (Int(row.integer(0)), try Columns.decode(HealthCounts.self, row.text(1)))
        }
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
            let old = try connection.rows(
                """
                SELECT model, version, start, body FROM health WHERE minutes = ? AND start < ?
                ORDER BY model, version, start LIMIT ?
                """,
                [.integer(period.minutes), .integer(now - period.kept), .integer(Int64(limit - folded))]
            ) { (row) throws(StorageError) in
                (row.integer(0), row.integer(1), row.integer(2), try Columns.decode(HealthCounts.self, row.text(3)))
            }
            for (model, version, start, counts) in old {
                try connection.run(
                    "DELETE FROM health WHERE model = ? AND version = ? AND minutes = ? AND start = ?",
                    [.integer(model), .integer(version), .integer(period.minutes), .integer(start)])
                guard let next else { continue }
                try addHealth(counts, model: model, version: version, minutes: next, start: start - start % next)
            }
            folded += old.count
        }
        return folded
    }
}
