import HearthCatalog
import HearthStorage

extension SQLSession {
    func recordAdoption(_ sightings: [AdoptionSighting], today: Int64, rowLimit: Int) throws -> Int {
        var names = NamedVersions(self)
        let rows = try sightings.compactMap { sighting -> (Int64, AdoptionRow)? in
            guard let version = try names.version(sighting.named, of: sighting.modelID) else { return nil }
            return (
                sighting.modelID,
                AdoptionRow(
                    installation: sighting.installation, version: version, system: sighting.system,
                    appVersion: sighting.appVersion, day: sighting.day)
            )
        }
        var samples = Samples(self, rowLimit: rowLimit)
        var changes = 0
        for (model, row) in rows where try samples.put(row, model: model, today: today) { changes += 1 }
        try samples.write()
        return changes
    }

    func mergeAdoption(
        _ rows: [AdoptionRow], shifts: [Int: Int], model: Int64, today: Int64, rowLimit: Int
    ) throws -> Int {
        var samples = Samples(self, rowLimit: rowLimit)
        for (version, shift) in shifts { try samples.raise(version, of: model, to: shift) }
        var changes = 0
        for row in rows where try samples.put(row, model: model, today: today) { changes += 1 }
        try samples.write()
        return changes
    }

    func adoptionShifts(model: Int64) throws -> [Int: Int] {
        try adoptionSamples(model: model).mapValues { max($0.shift, $0.earlierShift) }
    }

    func adoptionRows(model: Int64, after: Int64, limit: Int) throws -> [AdoptionRow] {
        try connection.rows(
            """
            SELECT installation, version, system, app_version, day FROM adoption
            WHERE model = ? AND installation > ? ORDER BY installation LIMIT ?
            """, [.integer(model), .integer(after), .int(limit)], AdoptionRow.init)
    }

    func deleteAdoption(of installation: Int64, project: String) throws {
        let versions = try connection.rows(
            """
            SELECT model, version FROM adoption
            WHERE model IN (SELECT id FROM model WHERE project = ?) AND installation = ?
            """, [.text(project), .integer(installation)]
        ) { row in (row.integer(.model), row.integer(.version)) }
        for (model, version) in versions {
            try connection.run(AdoptionRow.table.deletion, [.integer(model), .integer(installation)])
            try connection.run(
                "UPDATE adoption_sample SET row_count = row_count - 1 WHERE model = ? AND version = ?",
                [.integer(model), .integer(version)])
        }
    }

    func adoptionModelToClean(today: Int64) throws -> Int64? {
        try connection.integer("SELECT model FROM adoption_sample WHERE cleaned_day <> ? LIMIT 1", [.integer(today)])
    }

    func cleanAdoption(model: Int64, today: Int64, rowLimit: Int) throws -> Int {
        // A day far ahead comes from a clock that was wrong.
        let removed = try connection.run(
            "DELETE FROM adoption WHERE model = ? AND (day <= ? OR day > ?)",
            [.integer(model), .integer(today - AdoptionSample.days), .integer(today + 1)])
        let counts = try connection.rows(
            "SELECT version, count(*) AS count FROM adoption WHERE model = ? GROUP BY version", [.integer(model)]
        ) { row in (row.int(.version), row.int(.count)) }
        let left = Dictionary(uniqueKeysWithValues: counts)
        for (version, var sample) in try adoptionSamples(model: model) {
            sample.rows = left[version] ?? 0
            sample.cleanedDay = today
            let isForgotten = sample.changedDay + AdoptionSample.days <= today
            if sample.rows == 0, sample.shift == 0, isForgotten {
                try connection.run(SampleState.table.deletion, [.integer(model), .int(version)])
                continue
            }
            let lowered = AdoptionSample.lowered(shift: sample.shift, rows: sample.rows, rowLimit: rowLimit)
            if lowered < sample.shift, isForgotten {
                sample.earlierShift = sample.shift
                sample.shift = lowered
                sample.changedDay = today
            }
            try put(sample, model: model, version: version)
        }
        return removed
    }
}

/// The state of the sample of one version.
private struct SampleState: Equatable {
    var shift = 0
    /// The shift before it was lowered on `changedDay`: installations that were seen until then are complete only below
    /// this one's limit.
    var earlierShift = 0
    var changedDay: Int64 = 0
    var rows = 0
    var cleanedDay: Int64 = 0
}

extension SampleState {
    static let table = SQLTable(
        "adoption_sample", [.model, .version, .shift, .earlier_shift, .changed_day, .row_count, .cleaned_day],
        key: [.model, .version])

    init(_ row: SQLRow) {
        self.init(
            shift: row.int(.shift), earlierShift: row.int(.earlier_shift), changedDay: row.integer(.changed_day),
            rows: row.int(.row_count), cleanedDay: row.integer(.cleaned_day))
    }
}

extension AdoptionRow {
    fileprivate static let table = SQLTable(
        "adoption", [.model, .installation, .version, .system, .app_version, .day], key: [.model, .installation])

    fileprivate init(_ row: SQLRow) {
        self.init(
            installation: row.integer(.installation), version: row.int(.version), system: row.text(.system),
            appVersion: row.text(.app_version), day: row.integer(.day))
    }
}

extension SQLSession {
    fileprivate func adoptionSamples(model: Int64) throws(StorageError) -> [Int: SampleState] {
        let found = try connection.rows(
            "SELECT \(SampleState.table.list) FROM adoption_sample WHERE model = ?", [.integer(model)]
        ) { row in (row.int(.version), SampleState(row)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    fileprivate func put(_ sample: SampleState, model: Int64, version: Int) throws(StorageError) {
        try connection.run(
            SampleState.table.replacement,
            [
                .integer(model), .int(version), .int(sample.shift), .int(sample.earlierShift),
                .integer(sample.changedDay), .int(sample.rows), .integer(sample.cleanedDay),
            ])
    }
}

/// Which versions have the bytes that devices name; each is looked up once.
private struct NamedVersions {
    private struct Name: Hashable {
        var model: Int64
        var named: UInt64
    }

    private let session: SQLSession
    private var known: [Name: Int] = [:]
    private var models: [Int64: Bool] = [:]

    init(_ session: SQLSession) { self.session = session }

    /// Nil if the model does not exist any more.
    mutating func version(_ named: UInt64?, of model: Int64) throws -> Int? {
        let exists =
            try models[model]
            ?? (session.count("SELECT count(*) FROM model WHERE id = ?", [.integer(model)]) > 0)
        models[model] = exists
        guard exists else { return nil }
        guard let named else { return AdoptionSample.none }
        let name = Name(model: model, named: named)
        if let version = known[name] { return version }
        let digits = String(named, radix: 16)
        let prefix = String(repeating: "0", count: 16 - digits.count) + digits
        // All hex digits sort before "g".
        let found = try session.connection.integer(
            "SELECT max(number) FROM version WHERE model = ? AND sha256 >= ? AND sha256 < ?",
            [.integer(model), .text(prefix), .text(prefix + "g")])
        let version = found.map { Int($0) } ?? AdoptionSample.other
        known[name] = version
        return version
    }
}

/// The samples of one transaction.
private struct Samples {
    private let session: SQLSession
    private let rowLimit: Int
    private var loaded: [Int64: [Int: SampleState]] = [:]
    private var stored: [Int64: [Int: SampleState]] = [:]

    init(_ session: SQLSession, rowLimit: Int) {
        self.session = session
        self.rowLimit = rowLimit
    }

    private mutating func change(
        _ version: Int, of model: Int64, _ body: (inout SampleState) -> Void
    ) throws -> SampleState {
        if loaded[model] == nil {
            let found = try session.adoptionSamples(model: model)
            loaded[model] = found
            stored[model] = found
        }
        var state = loaded[model]?[version] ?? SampleState()
        body(&state)
        loaded[model]?[version] = state
        return state
    }

    /// Returns whether something changed. The newest day of an installation counts; of one day, what came last.
    mutating func put(_ row: AdoptionRow, model: Int64, today: Int64) throws -> Bool {
        guard row.day > today - AdoptionSample.days, row.day <= today + 1 else { return false }
        let known = try session.connection.row(
            AdoptionRow.table.lookUp, [.integer(model), .integer(row.installation)], AdoptionRow.init)
        if let known {
            // A day far ahead comes from a clock that was wrong.
            if known == row || (known.day > row.day && known.day <= today + 1) { return false }
        }
        let sample = try change(row.version, of: model) { _ in }
        guard row.installation <= AdoptionSample.highest(shift: sample.shift) else {
            guard let known else { return false }
            try session.connection.run(AdoptionRow.table.deletion, [.integer(model), .integer(row.installation)])
            _ = try change(known.version, of: model) { $0.rows -= 1 }
            return true
        }
        try session.connection.run(
            AdoptionRow.table.replacement,
            [
                .integer(model), .integer(row.installation), .int(row.version), .text(row.system),
                .text(row.appVersion), .integer(row.day),
            ])
        guard known?.version != row.version else { return true }
        if let known { _ = try change(known.version, of: model) { $0.rows -= 1 } }
        var state = try change(row.version, of: model) { $0.rows += 1 }
        while state.rows > rowLimit, state.shift < 62 {
            state = try raise(row.version, of: model, to: state.shift + 1)
        }
        return true
    }

    /// Raises the shift of a version to `shift`, if it is lower.
    @discardableResult
    mutating func raise(_ version: Int, of model: Int64, to shift: Int) throws -> SampleState {
        let state = try change(version, of: model) { _ in }
        guard state.shift < shift else { return state }
        let removed = try session.connection.run(
            "DELETE FROM adoption WHERE model = ? AND version = ? AND installation > ?",
            [.integer(model), .int(version), .integer(AdoptionSample.highest(shift: shift))])
        return try change(version, of: model) { state in
            state.shift = shift
            state.rows -= removed
        }
    }

    func write() throws {
        for (model, states) in loaded {
            for (version, state) in states where stored[model]?[version] != state {
                // A version that was only looked up has no rows.
                if stored[model]?[version] == nil, state == SampleState() { continue }
                try session.put(state, model: model, version: version)
            }
        }
    }
}
