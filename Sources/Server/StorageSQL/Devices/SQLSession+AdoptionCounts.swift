import HearthCatalog
import HearthStorage

extension SQLSession {
    func adoption(model: Int64, today: Int64, most: Int) throws -> AdoptionTally {
        var tally = AdoptionTally()
        tally.versions = try adoptionVersions(model: model, today: today)
        tally.systems = try adoption(model: model, by: "system", today: today, most: most)
        tally.appVersions = try adoption(model: model, by: "app_version", today: today, most: most)
        return tally
    }

    func adoptionVersions(model: Int64, today: Int64) throws -> [Int: AdoptionCounts] {
        let groups = try connection.rows(
            Self.sums(of: "NULL"), Self.parameters(model, today), SampleGroup.init)
        return Dictionary(groups.map { ($0.version, $0.counts) }, uniquingKeysWith: Self.sum)
    }

    /// By the values of a column: the `most` ones with the most rows, and the rest together as nil.
    private func adoption(
        model: Int64, by column: String, today: Int64, most: Int
    ) throws(StorageError) -> [String?: AdoptionCounts] {
        let name = """
            CASE WHEN \(column) IN (SELECT \(column) FROM adoption WHERE model = ?1
                GROUP BY \(column) ORDER BY count(*) DESC, \(column) LIMIT ?5) THEN \(column) END
            """
        let groups = try connection.rows(
            Self.sums(of: name), Self.parameters(model, today) + [.int(most)], SampleGroup.init)
        return Dictionary(groups.map { ($0.name, $0.counts) }, uniquingKeysWith: Self.sum)
    }

    private static func sum(_ left: AdoptionCounts, _ right: AdoptionCounts) -> AdoptionCounts {
        var left = left
        left.add(right)
        return left
    }

    private static func parameters(_ model: Int64, _ today: Int64) -> [SQLValue] {
        [.integer(model)] + AdoptionSample.windows.map { .integer(today - $0 + 1) }
    }

    /// For each version and each name, and for each window: the rows of the sample that was complete in the window, and
    /// that sample's shift.
    private static func sums(of name: String) -> String {
        let windows = AdoptionSample.windows.indices.map { index in
            let names = SampleGroup.columns[index]
            let start = "?\(index + 2)"
            let shift =
                "(CASE WHEN changed_day < \(start) OR shift >= earlier_shift THEN shift ELSE earlier_shift END)"
            let isCounted = "day >= \(start) AND installation <= (\(Int64.max) >> \(shift))"
            // The shift is the same in all rows of a version.
            return """
                sum(CASE WHEN \(isCounted) THEN 1 ELSE 0 END) AS \(names.rows.stringValue), \
                max(\(shift)) AS \(names.shift.stringValue)
                """
        }
        return """
            SELECT version, \(name) AS name, \(windows.joined(separator: ", "))
            FROM adoption JOIN adoption_sample USING (model, version) WHERE model = ?1 GROUP BY version, name
            """
    }

    func adoptionModels(limit: Int) throws -> [AdoptionModel] {
        try connection.rows(
            """
            SELECT id, project, display_name, sum(row_count) AS count
            FROM adoption_sample JOIN model ON model.id = model GROUP BY id ORDER BY count DESC, id LIMIT ?
            """, [.int(limit)]
        ) { row in
            AdoptionModel(
                id: row.integer(.id), projectID: row.text(.project), displayName: row.text(.display_name),
                rows: row.int(.count))
        }
    }
}

/// A line of the sums.
private struct SampleGroup {
    var version: Int
    var name: String?
    var counts = AdoptionCounts()

    /// The columns for each of `AdoptionSample.windows`.
    static let columns: [(rows: SQLColumn, shift: SQLColumn)] = [
        (.rows_in_first, .shift_in_first), (.rows_in_second, .shift_in_second), (.rows_in_third, .shift_in_third),
    ]

    init(_ row: SQLRow) {
        version = row.int(.version)
        name = row.optionalText(.name)
        for (index, names) in Self.columns.enumerated() {
            counts.windows[index].add(rows: row.int(names.rows), shift: row.int(names.shift))
        }
    }
}
