import HearthCalls
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// What people and their tools ask of a server, and what the server does on its own with what they decided.
package final class Management: Sendable {
    /// Signs browsers in to the console.
    let consoleAccess: ConsoleAccess
    let routes: [CallRoute]

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let services: ManagementServices
    let experiments: ExperimentMonitor
    let rollouts: RolloutMonitor
    let rehearsals: RehearsalStarter
    /// The rehearsals of all servers; nil for a server that is alone.
    let openRehearsals: OpenRehearsals?

    init(
        _ context: RouteContext, _ metadata: any MetadataStore, _ services: ManagementServices, _ devices: DevicePlane
    ) {
        self.context = context
        self.metadata = metadata
        self.services = services
        let verdicts = VerdictWait(services.validation, seconds: context.services.limits.validationWaitSeconds)
        let analyses = RecentAnalyses()
        let openRehearsals = OpenRehearsals(context.services, metadata, services.rehearsals)
        let consoleAccess = ConsoleAccess(context)
        self.openRehearsals = openRehearsals
        self.consoleAccess = consoleAccess
        experiments = ExperimentMonitor(context, metadata, analyses)
        rollouts = RolloutMonitor(context, metadata, devices.rollouts)
        rehearsals = RehearsalStarter(context, metadata, services.rehearsals)
        let uploads = UploadService(context, metadata, services.validation)
        let models = [
            ModelRoutes(context, verdicts).routes, OperationRoutes(context).routes,
            VersionRoutes(context, verdicts).routes, AliasRoutes(context, verdicts).routes,
            TryRoutes(context, services.tries).routes, ComparisonRoutes(context).routes,
            ReleaseRoutes(context, verdicts, devices.rollouts).routes,
            RehearsalImageRoutes(context, metadata, services).routes,
            RehearsalRoutes(context, services.rehearsals, verdicts, openRehearsals).routes,
            AdoptionRoutes(context, metadata).routes,
            RecentDeviceRoutes(context, devices.recentCalls).routes, PinRoutes(context, verdicts).routes,
            ExplanationRoutes(context, devices.recentCalls).routes, ModelHealthRoutes(context).routes,
            UploadRoutes(uploads).routes, UnfinishedUploadRoutes(uploads).routes,
            PackRoutes(uploads, services.packing).routes, StorageRoutes(uploads).routes,
        ]
        let projects = [
            TemplateRoutes(context).routes, EvaluationRoutes(context).routes,
            ExperimentRoutes(context, analyses).routes, GoogleExperimentRoutes(context).routes,
            EventCountRoutes(context).routes, TokenRoutes(context).routes, ProjectRoutes(context).routes,
            ServiceAccountRoutes(context).routes, APIKeyRoutes(context).routes, AdminTokenRoutes(context).routes,
            AuditRoutes(context).routes, ConsoleAccessRoutes(context, consoleAccess).routes,
            OverviewRoutes(context, devices.rollouts, analyses).routes, SearchRoutes(context).routes,
            ServerRoutes(context, services, streamCount: { [updates = devices.updates] in updates.count }).routes,
            SigningKeyRoutes(context).routes, MirrorRoutes(context, metadata).routes,
        ]
        routes = (models + projects).flatMap { $0 }
    }

    /// What works beside the answers.
    func parts(_ log: PartLog) -> [ServerPart] {
        let servers = metadata.coordination
        // What a part would change, it finds again later. A database that is away is said to be so once, and not by each part.
        let mayChange: @Sendable () -> Bool = { [metadata] in
            metadata.readOnlyReason == nil && metadata.contact?.isAnswering ?? true
        }
        let limits = context.services.limits
        return services.parts + [
            .periodic(
                "rollouts", everySeconds: limits.rolloutCheckSeconds, log, isDue: mayChange,
                begin: { [rollouts] in try rollouts.begin() },
                finish: { [rollouts] in
                    _ = try rollouts.check(isLast: true)
                    return []
                },
                work: { [rollouts] in try rollouts.check() }),
            .periodic(
                "experiments", everySeconds: limits.experimentCheckSeconds, log, isDue: mayChange,
                work: { [experiments] in try experiments.endDecided() }),
            .periodic(
                "starts of rehearsals", everySeconds: 5, log,
                isDue: { [metadata] in servers.holds(.rehearsals) && metadata.readOnlyReason == nil },
                work: { [rehearsals] in
                    try rehearsals.start()
                    return []
                }),
            .periodic(
                "open rehearsals", everySeconds: 1, log, isDue: { servers.isShared && mayChange() },
                work: { [openRehearsals, context] in
                    try openRehearsals?.writeIfDue(monotonicMicroseconds: context.monotonicMicroseconds)
                    return []
                }),
            .periodic(
                "validations", everySeconds: 1, log, isDue: { servers.isShared && mayChange() },
                work: { [validation = services.validation] in
                    try validation.followOtherServers()
                    return []
                }),
        ]
    }
}
