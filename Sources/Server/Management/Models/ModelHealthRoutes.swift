import Foundation
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// How the versions of a model work on devices (`/hearth/v1/projects/{project}/models/{model}/health`).
struct ModelHealthRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let hourLimit = 90 * 24

    var routes: [CallRoute] {
        [
            context.on(ModelCalls.health) { try report($0) }
        ]
    }

    private func report(_ call: ReadCall) throws -> HealthBodies.Report {
        let target = try ModelPath(call)
        let hours = try Self.hours(call.query.first("hours"))
        let since = context.nowMicroseconds - Int64(hours) * 3_600_000_000
        let (model, wanted, counts) = try call.read { store in
            let model = try target.model(store)
            let wanted = try call.query.first("version").map { try ModelPath.version(named: $0, of: model, store) }
            return (model, wanted?.version.number, try store.health(model: model.id, sinceMinute: since / 60_000_000))
        }
        let versions = counts.filter { wanted == nil || $0.key == wanted }.sorted { $0.key > $1.key }
        return HealthBodies.Report(
            model: model.displayName, since: WireTime.text(since),
            versions: versions.map { Self.version($0.key, $0.value) })
    }

    private static func hours(_ text: String?) throws(APIError) -> Int {
        guard let text else { return 24 }
        guard let hours = Int(text), (1...hourLimit).contains(hours) else {
            let text = "Hours are a number from 1 to \(hourLimit)."
            throw .invalid("hours", text, message: text)
        }
        return hours
    }

    private static func version(_ number: Int, _ counts: HealthCounts) -> HealthBodies.Version {
        HealthBodies.Version(
            version: number == AdoptionSample.other ? nil : number, reports: counts.reports,
            installed: counts.installed, rejected: counts.rejected, loads: counts.loads,
            loadFailures: counts.loadFailures, runs: counts.runs, failedRuns: counts.failedRuns,
            crashes: counts.crashes, loadTime: times(counts.loadTimes), runTime: times(counts.runTimes))
    }

    static func times(_ classes: [Int: Int64]) -> HealthBodies.Times? {
        let ordered = classes.sorted { $0.key < $1.key }
        let total = ordered.reduce(0.0) { $0 + Double($1.value) }
        guard total > 0 else { return nil }
        func quantile(_ share: Double) -> Int64 {
            var sum = 0.0
            for (index, count) in ordered {
                sum += Double(count)
                // The middle of the class.
                if sum >= share * total { return Int64(pow(2, (Double(index) + 0.5) / 8).rounded()) }
            }
            return 0
        }
        return HealthBodies.Times(count: Int64(min(total, 9e18)), median: quantile(0.5), percentile95: quantile(0.95))
    }
}
