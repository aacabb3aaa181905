import Foundation
import HearthCalls
import HearthCatalog
import HearthManagement
import HearthStorage
import HearthWire

/// Which records of a main server's state a follower may use now, and which files it needs. Pure.
///
/// A release is used when its file is here. Until the file of a release to everybody is here, the release to everybody
/// that it replaced stays in force: devices get a version, not nothing.
struct MirrorSelection {
    /// The records with which devices are answered.
    let records: MirrorRecords
    /// The files that devices get, or will get when they are here: hash and size.
    let needed: [String: UInt64]
    /// The files of the versions that the models had before: devices get them again after a rollback, at once.
    let previous: Set<String>
    /// The files of all versions, apart from malformed ones.
    let all: [String: UInt64]

    private struct VersionKey: Hashable {
        let model: MirrorValue
        let number: MirrorValue
    }

    init(_ state: MirrorBodies.State, present: Set<String>) {
        var records = state.records
        var hashes: [VersionKey: String] = [:]
        var sizes: [String: UInt64] = [:]
        let table = MirrorTable.version
        let (model, number, sha256) = (table.index("model"), table.index("number"), table.index("sha256"))
        let size = table.index("size_bytes")
        for row in records[.version] {
            guard let hash = row[sha256].text else { continue }
            hashes[VersionKey(model: row[model], number: row[number])] = hash
            sizes[hash] = UInt64(clamping: row[size].integer ?? 0)
        }
        var needed: Set<String> = []
        previous = Self.previous(records[.release], hashes)
        records[.release] = Self.releases(records[.release], hashes, present, &needed)
        records[.pin] = Self.pins(records[.pin], hashes, present, &needed)
        records[.experiment] = Self.experiments(records[.experiment], state.experimentFiles, present, &needed)
        self.records = records
        self.needed = sizes.filter { needed.contains($0.key) }
        let malformed = Set(state.malformed)
        all = sizes.filter { !malformed.contains($0.key) || needed.contains($0.key) }
    }

    /// Of each model the version of the release that ended last.
    private static func previous(_ rows: [MirrorRecords.Row], _ hashes: [VersionKey: String]) -> Set<String> {
        let table = MirrorTable.release
        let (model, version, ended) = (table.index("model"), table.index("version"), table.index("ended_us"))
        var last: [MirrorValue: (end: Int64, hash: String)] = [:]
        for row in rows {
            guard let end = row[ended].integer, end >= last[row[model]]?.end ?? .min,
                let hash = hashes[VersionKey(model: row[model], number: row[version])]
            else { continue }
            last[row[model]] = (end, hash)
        }
        return Set(last.values.map(\.hash))
    }

    /// Rows are in order of model and number.
    private static func releases(
        _ rows: [MirrorRecords.Row], _ hashes: [VersionKey: String], _ present: Set<String>, _ needed: inout Set<String>
    ) -> [MirrorRecords.Row] {
        let table = MirrorTable.release
        let (model, version, ended) = (table.index("model"), table.index("version"), table.index("ended_us"))
        var kept: [MirrorRecords.Row] = []
        /// Since when everybody should get a newer release, whose file is missing: nil if none, or if there is one in its
        /// place.
        var missingSince: Int64?
        var last: MirrorValue?
        // The newest of a model first.
        for var row in rows.reversed() {
            if row[model] != last { missingSince = nil }
            last = row[model]
            guard let hash = hashes[VersionKey(model: row[model], number: row[version])] else {
                kept.append(row)
                continue
            }
            let isHere = present.contains(hash)
            if let end = row[ended].integer {
                // One that ended before the newer release reached everybody was not replaced by it, but stopped.
                if let since = missingSince, end >= since, let fullSince = fullSince(row), fullSince <= end {
                    missingSince = isHere ? nil : fullSince
                    if isHere {
                        needed.insert(hash)
                        row[ended] = .null
                    }
                }
                kept.append(row)
            } else {
                needed.insert(hash)
                if let fullSince = fullSince(row) { missingSince = isHere ? nil : fullSince }
                if isHere { kept.append(row) }
            }
        }
        return kept.reversed()
    }

    /// Since when everybody gets the release, or got it; nil if only some devices do.
    private static func fullSince(_ row: MirrorRecords.Row) -> Int64? {
        let table = MirrorTable.release
        func decoded<Value: Decodable>(_ type: Value.Type, _ column: String) -> Value? {
            row[table.index(column)].text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
        }
        guard let share = row[table.index("share")].integer, let created = row[table.index("created_us")].integer,
            let stages = decoded([Release.Stage].self, "stages"), let audience = decoded(Audience.self, "audience")
        else { return nil }
        return EffectiveShare.fullSince(
            Release(
                modelID: 0, number: 0, version: 0, kind: .publish, shareMillionths: Int(clamping: share),
                stages: stages, audience: audience, pausedMicroseconds: row[table.index("paused_us")].integer,
                createdMicroseconds: created, createdBy: ""))
    }

    private static func pins(
        _ rows: [MirrorRecords.Row], _ hashes: [VersionKey: String], _ present: Set<String>, _ needed: inout Set<String>
    ) -> [MirrorRecords.Row] {
        let table = MirrorTable.pin
        let (model, version) = (table.index("model"), table.index("version"))
        return rows.filter { row in
            guard row[model] != .null else { return true }
            guard let hash = hashes[VersionKey(model: row[model], number: row[version])] else { return false }
            needed.insert(hash)
            return present.contains(hash)
        }
    }

    /// An experiment runs here when the files of all its variants are here. Otherwise its groups would not be comparable.
    private static func experiments(
        _ rows: [MirrorRecords.Row], _ files: [MirrorBodies.ExperimentFile], _ present: Set<String>,
        _ needed: inout Set<String>
    ) -> [MirrorRecords.Row] {
        let table = MirrorTable.experiment
        let (project, name, running) = (table.index("project"), table.index("name"), table.index("is_running"))
        let lacking = Set(
            files.filter { !present.contains($0.sha256) }.map { [MirrorValue.text($0.project), .text($0.experiment)] })
        needed.formUnion(files.map(\.sha256))
        return rows.map { row in
            guard lacking.contains([row[project], row[name]]) else { return row }
            var row = row
            row[running] = .integer(0)
            return row
        }
    }
}

extension MirrorBodies.State {
    /// The hashes of malformed files, which a server may have removed.
    fileprivate var malformed: [String] {
        guard let table = MirrorTable.all.first(where: { $0.name == "validation" }) else { return [] }
        let (sha256, verdict) = (table.index("sha256"), table.index("verdict"))
        return records[table].filter { $0[verdict].text == "malformed" }.compactMap { $0[sha256].text }
    }
}
