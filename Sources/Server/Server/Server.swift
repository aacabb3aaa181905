import Dispatch
import Foundation
import HearthAPI
import HearthCatalog
import HearthConcurrency
import HearthConsole
import HearthFiles
import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthMetrics
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork
import Synchronization

/// A server over one data folder.
package final class Server {
    package struct Start {
        package var url: String
        /// The project that this start made in an empty data folder.
        package var newProjectID: String?
        /// The credentials files.
        package var credentials: CredentialsFileSet.Files
        /// Nil without a console.
        package var consoleURL: String?
    }

    private let configuration: ServerConfiguration
    private let notes: [String]
    private let folder: DataFolder
    private let claim: DataFolderLock
    private let data: ServerData
    private let validation: ValidationQueue
    private let rehearsals: RehearsalQueue
    private let tries: TryQueue
    private let packing: PackQueue
    private let maintenance: PeriodicTask
    private let maintenanceStatus = MaintenanceStatus()
    /// Removes what ended uploads left on this server's disk.
    private let remains: PeriodicTask
    /// Brings back from the trash what records need, once the store answers.
    private let restores: PeriodicTask
    private let experiments: PeriodicTask
    /// Follows the validations of other servers.
    private let validations: PeriodicTask
    private let http: HTTPServer
    /// For people and tools, if they have an address of their own.
    private let adminHTTP: HTTPServer?
    private let service: HearthService
    private let clockWatch: PeriodicTask
    /// Keeps what answers devices as new as a database elsewhere.
    private let serving: PeriodicTask
    private let adoption: PeriodicTask
    private let rollouts: PeriodicTask
    private let rehearsalStarts: PeriodicTask
    private let state: ServerState
    package let log: ServerLog

    /// Opens the data folder, and makes it if necessary. One server per folder.
    ///
    /// - Parameter files: how many files the process may open.
    package init(_ configuration: ServerConfiguration, files: OpenFileLimit = OpenFileLimit()) throws {
        let budget = DescriptorBudget(
            connections: configuration.connections.connections + (configuration.adminListener == nil ? 0 : 256),
            threads: configuration.connections.threads,
            limit: files)
        var configuration = configuration
        configuration.connections.connections = budget.connections
        self.configuration = configuration
        notes = [budget.note].compactMap { $0 }
        guard let probeProgram = configuration.probeProgram else {
            throw ServerStartError("The server needs a program that validates uploaded models: set probeProgram.")
        }
        // All refusals come before anything is made, so that a refused start leaves no folder behind.
        let httpConfiguration = try configuration.http
        let port = try BoundPort(address: configuration.address, port: configuration.port)
        let adminConfiguration = try configuration.adminHTTP
        let adminPort = try adminConfiguration.map { try BoundPort(address: $0.address, port: $0.port) }
        folder = try DataFolder(path: configuration.dataFolder)
        if let path = configuration.logFile { try LogFile.check(path, layout: folder.layout) }
        try FollowState.checkMainServer(folder.layout)
        let shared = try SharedData(configuration, environment: ProcessInfo.processInfo.environment)
        let claim = try DataFolderLock(
            folder.layout, projectID: configuration.insistsOnProject ? configuration.projectID : nil,
            isShared: shared != nil)
        self.claim = claim
        try folder.recover()
        let lacksSecret = folder.lacksSecret()
        let state = ServerState()
        self.state = state
        var log = ServerLog(format: configuration.logFormat, level: configuration.logLevel)
        log.file = try configuration.logFile.map { path throws(ServerStartError) in try LogFile(path: path) }
        let data: ServerData
        if let shared {
            data = try ServerData(shared, in: folder, log)
        } else {
            data = try ServerData(in: folder)
        }
        self.data = data
        let (metadata, blobs, servers) = (data.metadata, data.blobs, data.metadata.coordination)
        // What a task would change, it finds again later.
        let mayChange: @Sendable () -> Bool = { metadata.readOnlyReason == nil }
        // An interrupted first start had nothing to sign.
        if lacksSecret, try metadata.read({ try !$0.projects().isEmpty }) {
            log.error(Self.lostSecret(folder.secretFile))
        }
        validation = ValidationQueue(
            metadata: metadata, blobs: blobs,
            checker: ModelValidator(executable: probeProgram, limits: configuration.probes),
            limits: configuration.queue,
            scheduler: ThreadScheduler(label: "app.hearth.validation"), now: { .now }, log: { [log] in log.error($0) }
        )
        for path in try folder.restrictSecretPermissions() { log.error(Self.openSecret(path)) }
        // Before any request needs one of them; later if the store is away, or a backup uses it.
        let trash = TrashedFiles(metadata: metadata, blobs: blobs, blobLock: validation.blobLock)
        let restore: @Sendable () throws -> Void = { [state] in
            guard blobs.isAnswering, state.beginRestoring() else { return }
            do {
                try trash.restoreFromTrash()
            } catch let error as StorageError where error.code == .unavailable {
                state.restoreLater()
            }
        }
        try restore()
        let history = HistoryWatch(metadata)
        // Not together with what looks whether the store answers: this may wait for it.
        restores = PeriodicTask(
            "trash", scheduler: DispatchScheduler(label: "app.hearth.trash"), pauseSeconds: 5,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) }, isDue: { servers.isShared },
            work: { [state] in
                // Records that are back may need files that are in the trash.
                if history.hasChanged(metadata) { state.restoreLater() }
                try restore()
                return []
            })
        if let reason = metadata.readOnlyReason {
            log.notice("\(ReadOnlyMark(reason).summary). `hearth admin read-only off` ends this.")
        }
        let lockNotes: @Sendable (String) -> Void = { [log] in log.error($0) }
        let confirmation = folder.removalConfirmation(data)
        let maintenanceWork = Maintenance(
            metadata: metadata, blobs: blobs, blobLock: validation.blobLock, limits: configuration.maintenance,
            backupLock: folder.backupLockFile,
            confirmation: confirmation, status: maintenanceStatus,
            isAllowed: { claim.obstacle(note: lockNotes) == nil }, now: { .now })
        maintenance = PeriodicTask(
            maintenanceWork, scheduler: DispatchScheduler(label: "app.hearth.maintenance"),
            note: { [log] in log.info($0) },
            failure: { [log] in log.error($0) },
            isDue: { servers.holds(.maintenance) && mayChange() && blobs.isAnswering })
        remains = PeriodicTask(
            "upload remains", scheduler: DispatchScheduler(label: "app.hearth.remains"), pauseSeconds: 3600,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) },
            isDue: { servers.isShared && metadata.contact?.isAnswering ?? true },
            work: {
                let count = try maintenanceWork.removeLocalStrays()
                return count == 0
                    ? [] : ["removed \(Quantity.text(count, "file")) of resumable uploads that have ended"]
            })
        var services = Services(
            metadata: metadata, blobs: blobs, validation: validation,
            secret: try ServerSecret(
                store: data.signingKeys,
                mirrored: try MirroredSecret(file: folder.layout.mirroredKeys, signs: false),
                nowMicroseconds: Timestamp.now.microseconds),
            limits: configuration.service,
            publicURL: configuration.publicURL, localURL: { state.localURL }, now: { .now })
        services.adminURL = configuration.adminURL
        services.localAdminURL = { state.localAdminURL }
        services.console = configuration.consoleLifetimes
        services.console.isServed = configuration.isConsoleServed
        services.clock = ServerClock { .now }
        services.rehearsals = RehearsalQueue(
            metadata: metadata, blobs: blobs, executable: probeProgram,
            scheduler: ThreadScheduler(label: "app.hearth.rehearsals"), now: { .now }, log: { [log] in log.error($0) })
        rehearsals = services.rehearsals
        services.tries = TryQueue(
            blobs: blobs, executable: probeProgram,
            scheduler: ThreadScheduler(label: "app.hearth.tries", yieldsToOthers: true))
        tries = services.tries
        services.serverStatus = { [state] in state.status }
        services.packing = PackQueue(
            blobs: blobs, executable: probeProgram, scheduler: ThreadScheduler(label: "app.hearth.packing"))
        packing = services.packing
        services.readinessProblems = { [folder] in
            [
                claim.obstacle(note: lockNotes), folder.obstacle(hasDatabase: !data.isShared), blobs.refusal,
                state.isStopping ? "the server is stopping" : nil,
            ].compactMap { $0 }
        }
        services.notes = notes
        services.take(configuration)
        services.folderID = data.folderID
        let service = HearthService(
            services, otherRoutes: Console.routeNames(publicURL: configuration.consoleURL),
            log: { [log] in log.error($0) })
        self.service = service
        log.routeNames = service.routeNames
        clockWatch = PeriodicTask(
            "clock", scheduler: DispatchScheduler(label: "app.hearth.clock"), pauseSeconds: 1,
            note: { [log] in log.error($0) },
            failure: { [log] in log.error($0) }, work: { service.tickClock() })
        // A database that is away is said to be so once, and not by each of these.
        let isAnswering: @Sendable () -> Bool = { metadata.contact?.isAnswering ?? true }
        serving = PeriodicTask(
            "serving", scheduler: DispatchScheduler(label: "app.hearth.serving-refresh"), pauseSeconds: 1,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) }, isDue: { servers.isShared },
            work: { [log] in
                log.messages(try service.refreshServing())
                return []
            })
        adoption = PeriodicTask(
            "adoption", scheduler: DispatchScheduler(label: "app.hearth.adoption"), pauseSeconds: 1,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) },
            isDue: { mayChange() && isAnswering() },
            work: {
                try service.writeAdoption()
                try service.writeForOtherServers()
                return []
            })
        rollouts = PeriodicTask(
            "rollouts", scheduler: DispatchScheduler(label: "app.hearth.rollouts"),
            pauseSeconds: configuration.service.rolloutCheckSeconds, note: { [log] in log.info($0) },
            failure: { [log] in log.error($0) }, isDue: { mayChange() && isAnswering() },
            work: { try service.checkRollouts() })
        rehearsalStarts = PeriodicTask(
            "rehearsals", scheduler: DispatchScheduler(label: "app.hearth.rehearsal-starts"), pauseSeconds: 5,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) },
            isDue: { servers.holds(.rehearsals) && mayChange() },
            work: {
                try service.startRehearsals()
                return []
            })
        experiments = PeriodicTask(
            "experiments", scheduler: DispatchScheduler(label: "app.hearth.experiments"),
            pauseSeconds: configuration.experimentCheckSeconds, note: { [log] in log.info($0) },
            failure: { [log] in log.error($0) }, isDue: { mayChange() && isAnswering() },
            work: { try service.endDecidedExperiments() })
        let queue = validation
        validations = PeriodicTask(
            "validations", scheduler: DispatchScheduler(label: "app.hearth.validations"), pauseSeconds: 1,
            note: { [log] in log.info($0) }, failure: { [log] in log.error($0) },
            isDue: { servers.isShared && mayChange() && isAnswering() },
            work: {
                try queue.followOtherServers()
                return []
            })
        self.log = log
        let note: AccessLog = { [log, metrics = service.metrics] entry in
            metrics.record(FinishedRequest(entry))
            log.request(entry)
        }
        let everything = Self.handler(service, configuration, log)
        http = HTTPServer(
            configuration: httpConfiguration,
            handler: adminConfiguration == nil ? everything : WithoutConsole(service: service.deviceHandler),
            errors: HearthService.errorRenderer, log: note)
        try http.listen(on: port)
        adminHTTP = adminConfiguration.map {
            HTTPServer(configuration: $0, handler: everything, errors: HearthService.errorRenderer, log: note)
        }
        if let adminPort { try adminHTTP?.listen(on: adminPort) }
        state.statusReader = ServerStatusReader(
            configuration: configuration, layout: folder.layout, data: data, confirmation: confirmation,
            maintenance: maintenanceStatus, start: .now,
            connections: { [weak http, weak adminHTTP] in
                (http?.openConnections ?? 0) + (adminHTTP?.openConnections ?? 0)
            })
        ServerGauges(
            http: http, service: service, validation: validation, maintenance: maintenanceStatus, clock: services.clock,
            data: data,
            folders: [("data", folder.layout.path), ("blobs", folder.layout.blobFolder)]
        ).add(to: service.metrics)
        SharedDataMetrics(metadata: metadata, blobs: blobs).add(to: service.metrics)
    }

    /// The API, and the console if there is one.
    private static func handler(
        _ service: HearthService, _ configuration: ServerConfiguration, _ log: ServerLog
    ) -> any RequestHandler {
        guard configuration.isConsoleServed else { return WithoutConsole(service: service) }
        let environment = Console.Environment(
            service: service, publicURL: configuration.consoleURL,
            sessionSeconds: configuration.consoleLifetimes.sessionHours * 3600, log: { log.error($0) })
        let names = Console.routeNames(publicURL: configuration.consoleURL)
        let console = Console(environment, firstRouteNumber: service.routeNames.count - names.count + 1)
        return ConsoleAndService(console: console, service: service)
    }

    private static func lostSecret(_ path: String) -> String {
        """
        The signing secret \(path) was missing, so the server made a new one. All device tokens, access tokens and links \
        that it signed are invalid: devices register again and tools sign in again automatically. If the secret was lost, \
        stop the server and restore the folder \(FilePath.folder(of: path)) from a backup.
        """
    }

    private static func openSecret(_ path: String) -> String {
        """
        Other users could access the signing key \(path). The server removed their permissions. If another user may have read \
        it, make a new key and retire this one: hearth keys signing rotate, then hearth keys signing retire. All device tokens, \
        access tokens and links that this key signed then become invalid.
        """
    }

    /// Makes the first project if there is none, updates the credentials files, and begins to serve.
    ///
    /// The server answers no request before the rest is done.
    package func start() throws -> Start {
        do {
            state.localURL = url(configuration.address, http.port)
            state.localAdminURL = adminHTTP.map { url(configuration.adminListener?.address ?? "", $0.port) }
            let adminURL = configuration.adminURL ?? state.localAdminURL
            let deviceURL = configuration.publicURL ?? state.localURL
            let start = try ServerDatabase.naming(data.databaseName) {
                var start = try prepare(admin: adminURL ?? deviceURL, device: deviceURL)
                if configuration.isConsoleServed { start.consoleURL = (adminURL ?? deviceURL) + "/console/" }
                try validation.start()
                return start
            }
            try service.beginServing()
            for line in try service.beginClock() + service.beginRollouts() { log.error(line) }
            try http.start()
            try adminHTTP?.start()
            clockWatch.start()
            serving.start()
            for note in notes { log.notice("Note: \(note).") }
            // The first round waits: the operator of a first start can look first.
            maintenance.start(afterPause: claim.isFirstStart)
            remains.start()
            restores.start(afterPause: true)
            experiments.start()
            validations.start()
            adoption.start()
            rollouts.start()
            rehearsalStarts.start()
            return start
        } catch {
            http.stop()
            adminHTTP?.stop()
            throw error
        }
    }

    private func url(_ address: String, _ port: UInt16) -> String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "\(configuration.tlsCertificateFile == nil ? "http" : "https")://\(host):\(port)"
    }

    /// - Parameters:
    ///   - admin: where tools reach the server.
    ///   - device: where devices reach it.
    private func prepare(admin: String, device: String) throws -> Start {
        let credentials = CredentialsFileSet(folder: folder)
        let pending = PendingCredentials(layout: folder.layout, folderID: data.folderID)
        let projects = Set(try data.metadata.read { try $0.projects().map(\.id) })
        if projects.isEmpty {
            let id = configuration.projectID ?? Self.defaultProjectID
            try makeProject(id, credentials, pending, admin: admin, device: device)
            return Start(url: device, newProjectID: id, credentials: credentials.files)
        }
        for path in try pending.activate() {
            log.error("The credentials file \(path) keeps its name, because another file has the final name.")
        }
        return Start(
            url: device, newProjectID: nil,
            credentials: try credentials.updateURL(admin: admin, device: device, projects: projects)
                .present(isShared: data.isShared))
    }

    private func makeProject(
        _ id: String, _ credentials: CredentialsFileSet, _ pending: PendingCredentials, admin: String,
        device: String
    ) throws {
        // Without a record of the project, the next start writes the files again. With the record, it gives them their names.
        let first = try NewProject(projectID: id, nowMicroseconds: Timestamp.now.microseconds)
        try credentials.write(first, admin: admin, device: device, as: pending)
        try data.metadata.write { store in
            try store.insert(first.project)
            try store.insert(first.account)
            try store.insert(first.accountKey)
            try store.insert(first.apiKeyRecord)
            try store.append(
                AuditEntry(
                    projectID: id, actor: "server", action: "project.create", subject: "projects/\(id)",
                    detail: "first start", atMicroseconds: first.project.createdMicroseconds))
        }
        _ = try pending.activate()
    }

    /// Reads the certificate's files again, and continues in a new log file.
    package func reload() {
        do {
            try log.reopen()
        } catch {
            log.error("\(error) The log continues in the same file.")
        }
        do {
            guard let tls = try configuration.tls else { return log.notice("Reloaded.") }
            try http.replaceTLS(with: tls)
            try adminHTTP?.replaceTLS(with: tls)
            log.notice("Reloaded: new connections get the certificate in \(configuration.tlsCertificateFile ?? "").")
        } catch {
            log.error("The certificate was not reloaded; the server keeps the one before: \(error)")
        }
    }

    /// Returns when the transfers and validations in progress are over; a validation takes seconds at most.
    ///
    /// First works for another `drainSeconds`, while `/readyz` answers 503, so that a load balancer can use another server.
    package func stop() {
        state.beginStopping()
        // Their devices connect again soon, to another server if there is one.
        http.endStreams()
        adminHTTP?.endStreams()
        Thread.sleep(forTimeInterval: configuration.drainSeconds)
        let idle = DispatchSemaphore(value: 0)
        // First, so that calls that wait for a validation are answered now.
        validation.stop { idle.signal() }
        rehearsalStarts.stop { idle.signal() }
        rehearsals.stop { idle.signal() }
        tries.stop { idle.signal() }
        packing.stop { idle.signal() }
        maintenance.stop { idle.signal() }
        remains.stop { idle.signal() }
        restores.stop { idle.signal() }
        experiments.stop { idle.signal() }
        validations.stop { idle.signal() }
        clockWatch.stop { idle.signal() }
        serving.stop { idle.signal() }
        adoption.stop { idle.signal() }
        rollouts.stop { idle.signal() }
        http.stop()
        adminHTTP?.stop()
        for _ in 1...14 { idle.wait() }
        defer { claim.release() }
        // What devices have reported since then is lost, as after a crash.
        guard data.metadata.readOnlyReason == nil else { return }
        do {
            try service.writeAdoption(isLast: true)
        } catch {
            log.error("adoption: \(error)")
        }
        do {
            _ = try service.checkRollouts(isLast: true)
        } catch {
            log.error("rollouts: \(error)")
        }
        for line in service.tickClock(isLast: true) { log.error(line) }
    }

    private static let defaultProjectID = "hearth-default"
}

/// Everything at one address.
private struct ConsoleAndService: RequestHandler {
    let console: Console
    let service: HearthService

    func plan(for head: RequestHead) -> RequestPlan {
        if let start = console.start(for: head) { return .answer(start) }
        return console.handles(head) ? console.plan(for: head) : service.plan(for: head)
    }
}

/// An address without a console. To people who type it, it says what answers here.
private struct WithoutConsole: RequestHandler {
    let service: any RequestHandler

    func plan(for head: RequestHead) -> RequestPlan {
        guard head.segments.isEmpty, head.method == .get || head.method == .head else { return service.plan(for: head) }
        return .answer(
            .text("This is a Hearth server for apps and their tools. It has no pages for people at this address.\n"))
    }
}

extension ServerConfiguration {
    /// The address of the console, as far as a setting says it.
    fileprivate var consoleURL: String? { adminAddress == nil ? publicURL : adminURL }
}

extension Services {
    /// The settings that mean the same at a server and at a follower.
    mutating func take(_ configuration: ServerConfiguration) {
        metricsReaders = configuration.metricsReaders
        countryHeader = configuration.countryHeader
        allowedOrigins = configuration.allowedOrigins
        accelRedirectPrefix = configuration.accelRedirectPrefix
        modelLinks = configuration.modelLinks
    }
}

extension FinishedRequest {
    init(_ entry: AccessLogEntry) {
        self.init(
            route: entry.route, method: entry.method?.rawValue, status: entry.status, microseconds: entry.microseconds,
            bytesIn: entry.requestBytes, bytesOut: entry.responseBytes)
    }
}
