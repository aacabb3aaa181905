import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthExperiments
import HearthHTTP
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// What people should know about a project now (`/hearth/v1/projects/{project}/overview`), in a few milliseconds however
/// many models and installations there are.
struct OverviewRoutes {
    private let context: RouteContext

    private let rollouts: RolloutWatches
    private let analyses: RecentAnalyses

    init(_ context: RouteContext, _ rollouts: RolloutWatches, _ analyses: RecentAnalyses) {
        self.context = context
        self.rollouts = rollouts
        self.analyses = analyses
    }

    var routes: [CallRoute] {
        [
            context.on(ProjectCalls.overview) { try overview($0) }
        ]
    }

    private static let rolloutLimit = 100
    private static let experimentLimit = 50
    private static let listLimit = 20
    /// To judge whether 500 images show a loss takes about 5 milliseconds.
    private static let rehearsalLimit = 50
    private static let recentMicroseconds: Int64 = 7 * 86_400_000_000

    private func overview(_ call: ReadCall) throws -> OverviewBodies.Overview {
        let project = call.project.id
        let now = context.nowMicroseconds
        let onTheirWay = try RolloutOverview(rollouts, nowMicroseconds: now)
            .rollouts(of: context.serving.current().projects[project])
        let (stored, invalid, gated) = try call.read { store in
            let counts = try store.counts(project: project)
            let experiments = try store.experiments(
                project: project, endedSinceMicroseconds: now - Self.recentMicroseconds)
            let pending = try store.pendingFiles(project: project)
            let overview = OverviewBodies.Overview(
                project: project, time: WireTime.text(now),
                counts: OverviewBodies.Counts(
                    models: counts.models, publishedModels: counts.publishedModels, rollouts: onTheirWay.count,
                    runningExperiments: experiments.count(where: \.isRunning),
                    installations: counts.installations, pendingValidations: pending.count),
                rollouts: Array(onTheirWay.prefix(Self.rolloutLimit)),
                stopped: try store.endedReleases(
                    project: project, sinceMicroseconds: now - Self.recentMicroseconds, limit: Self.listLimit
                ).map(OverviewPresentation.stopped),
                experiments: overviews(of: experiments.prefix(Self.experimentLimit)), failedVersions: [],
                pending: pending.prefix(Self.listLimit).map(OverviewPresentation.pending))
            return (
                overview, try store.failedVersions(project: project, limit: Self.listLimit),
                try store.gatedVersions(project: project, limit: Self.rehearsalLimit)
            )
        }
        // Judged after the read, so that nobody waits for it who wants to write.
        let failed = invalid.map {
            ($0.version.createdMicroseconds, OverviewPresentation.failed($0.version, "validation", $0.reason))
        }
        let refused = gated.compactMap { gated in
            OverviewPresentation.failed(gated).map { (gated.version.createdMicroseconds, $0) }
        }
        var overview = stored
        overview.failedVersions = (failed + refused).sorted { $0.0 > $1.0 }.prefix(Self.listLimit).map(\.1)
        return overview
    }

    private func overviews(of records: some Sequence<ExperimentRecord>) -> [OverviewBodies.Experiment] {
        // One that cannot be decoded must not hide the others.
        records.compactMap { try? ExperimentCoding.experiment($0) }
            .map { OverviewPresentation.experiment($0, analyses.verdict(of: $0)) }
    }
}
