import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// Which versions of a model devices have (`/hearth/v1/projects/{project}/models/{model}/devices`).
struct AdoptionRoutes {
    private let context: RouteContext

    /// The last reports, by the model's id: an estimate reads all samples of the model.
    private let reports = RecentValues<Int64, DeviceBodies.Report>(limit: 1000)

    init(_ context: RouteContext) {
        self.context = context
        // Models of another database have the numbers of others.
        context.serving.onOtherDatabase { [reports] in reports.removeAll() }
    }

    /// The most lines of each list; all others are one line.
    static let lineLimit = 50

    var routes: [Route] {
        [
            Route(.get, "hearth/v1/projects/{project}/models/{model}/devices") { head, path in
                context.queued(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, head, _ in
                    try report(call, path, maxAgeSeconds: MaxAge.seconds(head.query))
                }
            }
        ]
    }

    /// After this time, an older report that is enough for a caller is made anew for the next one.
    private static let renewalMicroseconds: Int64 = 60_000_000

    private func report(_ call: AdminCall, _ path: RouteParameters, maxAgeSeconds: Int64) throws -> Response {
        let target = try ModelPath(call, path)
        let now = context.nowMicroseconds
        let model = try context.services.metadata.read { try target.model($0) }
        let known = reports.last(of: model.id, maxAgeSeconds: maxAgeSeconds, nowMicroseconds: now)
        // A report without a device takes no time to make, and somebody may wait for the first device.
        guard let known, known.value.model == model.displayName, !known.value.versions.isEmpty else {
            return try context.json(newReport(of: model))
        }
        if now - known.atMicroseconds > Self.renewalMicroseconds { renew(model) }
        return try context.json(known.value)
    }

    private func newReport(of model: Model) throws -> DeviceBodies.Report {
        let now = context.nowMicroseconds
        let tally = try context.services.metadata.read {
            try $0.adoption(model: model.id, today: AdoptionRecorder.day(now), most: Self.lineLimit)
        }
        let report = AdoptionPresentation.report(tally, of: model, nowMicroseconds: now)
        reports.set(report, of: model.id, atMicroseconds: now)
        return report
    }

    private func renew(_ model: Model) {
        guard reports.beginRenewal(of: model.id) else { return }
        context.services.scheduler.run {
            defer { reports.endRenewal(of: model.id) }
            do {
                _ = try newReport(of: model)
            } catch {
                context.log("the report on the devices of '\(model.displayName)' was not renewed: \(error)")
            }
        }
    }
}

/// Estimates as they are shown.
enum AdoptionPresentation {
    static func report(_ tally: AdoptionTally, of model: Model, nowMicroseconds: Int64) -> DeviceBodies.Report {
        var total = AdoptionCounts()
        for counts in tally.versions.values { total.add(counts) }
        return DeviceBodies.Report(
            model: model.displayName, time: WireTime.text(nowMicroseconds), devices: devices(total),
            versions: versions(tally.versions), systems: lines(tally.systems), appVersions: lines(tally.appVersions))
    }

    /// The versions with the most devices; all others count as `other`.
    static func versions(_ counts: [Int: AdoptionCounts]) -> [DeviceBodies.Line] {
        let known = counts.filter { $0.key != AdoptionSample.other }.sorted { left, right in
            (right.value.last, right.key) < (left.value.last, left.key)
        }
        var other = counts[AdoptionSample.other] ?? AdoptionCounts()
        for (_, counts) in known.dropFirst(AdoptionRoutes.lineLimit) { other.add(counts) }
        let shown = known.prefix(AdoptionRoutes.lineLimit).map { number, counts in
            DeviceBodies.Line(
                name: number == AdoptionSample.none ? DeviceBodies.none : String(number), devices: devices(counts))
        }
        return shown + Self.other(other)
    }

    private static func lines(_ counts: [String?: AdoptionCounts]) -> [DeviceBodies.Line] {
        let named = counts.compactMap { name, counts in name.map { ($0, counts) } }
            .sorted { ($1.1.last, $0.0) < ($0.1.last, $1.0) }
        return named.map { DeviceBodies.Line(name: $0.isEmpty ? DeviceBodies.unknown : $0, devices: devices($1)) }
            + other(counts[nil] ?? AdoptionCounts())
    }

    private static func other(_ counts: AdoptionCounts) -> [DeviceBodies.Line] {
        counts == AdoptionCounts() ? [] : [DeviceBodies.Line(name: DeviceBodies.other, devices: devices(counts))]
    }

    private static func devices(_ counts: AdoptionCounts) -> [DeviceBodies.Estimate] {
        zip(AdoptionSample.windows, counts.windows).map { days, estimate in
            DeviceBodies.Estimate(
                days: Int(days), count: Int64(estimate.count.rounded()), margin: Int64(estimate.margin.rounded(.up)))
        }
    }
}

extension AdoptionCounts {
    /// In the longest window.
    fileprivate var last: Double { windows.last?.count ?? 0 }
}
