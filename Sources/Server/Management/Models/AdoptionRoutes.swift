import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthServing
import HearthStorage
import HearthWork

/// Which versions of a model devices have (`/hearth/v1/projects/{project}/models/{model}/devices`).
struct AdoptionRoutes {
    private let context: RouteContext
    /// For reports that are made anew after an answer.
    private let metadata: any MetadataStore

    /// The last reports, by the model's id: an estimate reads all samples of the model.
    private let reports = RecentValues<Int64, DeviceBodies.Report>(limit: 1000)

    init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        self.metadata = metadata
        // Models of another database have the numbers of others.
        context.serving.onOtherDatabase { [reports] in reports.removeAll() }
    }

    var routes: [CallRoute] {
        [
            context.on(ModelCalls.devices) { try report($0) }
        ]
    }

    /// After this time, an older report that is enough for a caller is made anew for the next one.
    private static let renewalMicroseconds: Int64 = 60_000_000

    private func report(_ call: ReadCall) throws -> DeviceBodies.Report {
        let maxAgeSeconds = try MaxAge.seconds(call.query)
        let target = try ModelPath(call)
        let now = context.nowMicroseconds
        let model = try call.read { try target.model($0) }
        let known = reports.last(of: model.id, maxAgeSeconds: maxAgeSeconds, nowMicroseconds: now)
        // A report without a device takes no time to make, and somebody may wait for the first device.
        guard let known, known.value.model == model.displayName, !known.value.versions.isEmpty else {
            return try newReport(of: model)
        }
        if now - known.atMicroseconds > Self.renewalMicroseconds { renew(model) }
        return known.value
    }

    private func newReport(of model: Model) throws -> DeviceBodies.Report {
        let now = context.nowMicroseconds
        let tally = try metadata.read {
            try $0.adoption(model: model.id, today: AdoptionRecorder.day(now), most: AdoptionPresentation.lineLimit)
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
