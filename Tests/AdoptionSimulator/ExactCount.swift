import Foundation
import HearthCatalog
import HearthStorage
import HearthStorageSQLite

/// The truth about a fleet, counted one by one.
struct ExactCount {
    private var versions: [String: [Int]] = [:]
    private var systems: [String: [Int]] = [:]
    private var appVersions: [String: [Int]] = [:]
    private var all = [0, 0, 0]

    init(_ fleet: Fleet, until day: Int) {
        for installation in 0..<fleet.count {
            guard let last = (0...day).last(where: { fleet.asks(installation, on: $0) }) else { continue }
            let isIn = AdoptionSample.windows.map { Int64(day - last) < $0 ? 1 : 0 }
            func add(_ counts: inout [Int]) { for index in counts.indices { counts[index] += isIn[index] } }
            add(&versions[Self.name(fleet.version(installation, on: last)), default: [0, 0, 0]])
            add(&systems[fleet.system(installation), default: [0, 0, 0]])
            add(&appVersions[fleet.appVersion(installation, on: last), default: [0, 0, 0]])
            add(&all)
        }
    }

    private static func name(_ version: Int) -> String {
        switch version {
        case AdoptionSample.none: "none"
        case AdoptionSample.other: "other"
        default: String(version)
        }
    }

    /// An estimate beside the truth.
    private struct Line: Codable {
        var kind: String
        var name: String
        var days: Int64
        var exact: Int
        var estimate: Double
        var margin: Double
    }

    /// Prints a JSON object for each estimate.
    func compare(with store: Store, day: Int) throws {
        for model in store.models {
            let tally = try store.metadata.read {
                try $0.adoption(model: model, today: SimulatorProgram.firstDay + Int64(day), most: 50)
            }
            var total = AdoptionCounts()
            for counts in tally.versions.values { total.add(counts) }
            try compare("all", ["all": all], ["all": total])
            try compare(
                "version", versions,
                Dictionary(uniqueKeysWithValues: tally.versions.map { (Self.name($0.key), $0.value) }))
            try compare("system", systems, Self.named(tally.systems))
            try compare("app version", appVersions, Self.named(tally.appVersions))
        }
    }

    private static func named(_ counts: [String?: AdoptionCounts]) -> [String: AdoptionCounts] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key ?? "(others)", $0.value) })
    }

    private func compare(_ kind: String, _ exact: [String: [Int]], _ estimates: [String: AdoptionCounts]) throws {
        for name in Set(exact.keys).union(estimates.keys).sorted() {
            for (index, days) in AdoptionSample.windows.enumerated() {
                let estimate = estimates[name]?.windows[index] ?? AdoptionEstimate()
                let line = Line(
                    kind: kind, name: name, days: days, exact: exact[name]?[index] ?? 0, estimate: estimate.count,
                    margin: estimate.margin)
                print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
            }
        }
    }
}
