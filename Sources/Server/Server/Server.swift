import Dispatch
import Foundation
import HearthAPI
import HearthCatalog
import HearthConcurrency
import HearthFiles
import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthMetrics
import HearthStorage
import HearthStorageSQLite
import HearthValidation
import HearthWire
import Synchronization

/// The server's parts, put together over one data folder.
package final class Server {
    package struct Start {
        package var url: String
        /// The project that was made now, in an empty data folder.
        package var newProjectID: String?
        /// The files of those who can sign in with them.
        package var credentials: CredentialsFileSet.Files
    }

    private let configuration: ServerConfiguration
    private let notes: [String]
    private let folder: DataFolder
    private let claim: DataFolderLock
    private let metadata: SQLiteMetadataStore
    private let validation: ValidationQueue
    private let maintenance: PeriodicTask
    private let upkeepStatus = MaintenanceStatus()
    private let experiments: PeriodicTask
    private let http: HTTPServer
    private let service: HearthService
    private let clockWatch: PeriodicTask
    private let state: ServerState
    package let log: ServerLog

    /// Opens the data folder, or makes it. One server per folder.
    ///
    /// - Parameter files: how many files the process may open.
    package init(_ configuration: ServerConfiguration, files: OpenFileLimit = OpenFileLimit()) throws {
        let budget = DescriptorBudget(
            connections: configuration.connections.connections, threads: configuration.connections.threads,
            limit: files)
        var configuration = configuration
        configuration.connections.connections = budget.connections
        self.configuration = configuration
        notes = [budget.note].compactMap { $0 }
        guard let probeProgram = configuration.probeProgram else {
            throw ServerStartError("The server needs a program that looks at uploaded models: set probeProgram.")
        }
        // What may be refused comes before anything is made: a server that does not start leaves no folder behind.
        let httpConfiguration = try configuration.http
        let port = try BoundPort(address: configuration.address, port: configuration.port)
        folder = try DataFolder(path: configuration.dataFolder)
        if let path = configuration.logFile { try LogFile.check(path, layout: folder.layout) }
        let claim = try DataFolderLock(
            folder.layout, projectID: configuration.insistsOnProject ? configuration.projectID : nil)
        self.claim = claim
        try folder.recover()
        let lacksSecret = folder.lacksSecret()
        metadata = try ServerDatabase.open(folder.databaseFile)
        try folder.record(folderID: metadata.folderID)
        let state = ServerState()
        self.state = state
        var log = ServerLog(format: configuration.logFormat, level: configuration.logLevel)
        log.file = try configuration.logFile.map { path throws(ServerStartError) in try LogFile(path: path) }
        let blobs = try FileBlobStore(folder: folder.blobFolder)
        // A first start that was cut short had nothing to sign.
        if lacksSecret, try metadata.read({ try !$0.projects().isEmpty }) {
            log.error(Self.lostSecret(folder.secretFile))
        }
        validation = ValidationQueue(
            metadata: metadata, blobs: blobs,
            checker: ModelValidator(executable: probeProgram, limits: configuration.probes),
            limits: configuration.queue,
            scheduler: ThreadScheduler(label: "app.hearth.validation"), now: { .now }, log: { [log] in log.error($0) }
        )
        if folder.restrictSecretPermissions() { log.error(Self.openSecret(folder.secretFile)) }
        // Before anybody asks for one of them.
        try TrashedFiles(metadata: metadata, blobs: blobs, blobLock: validation.blobLock).restoreFromTrash()
        let lockNotes: @Sendable (String) -> Void = { [log] in log.error($0) }
        maintenance = PeriodicTask(
            Maintenance(
                metadata: metadata, blobs: blobs, blobLock: validation.blobLock, limits: configuration.maintenance,
                backupLock: folder.backupLockFile,
                confirmation: folder.operatorWord,
                status: upkeepStatus, isAllowed: { claim.obstacle(note: lockNotes) == nil }, now: { .now }),
            scheduler: DispatchScheduler(label: "app.hearth.maintenance"), note: { [log] in log.info($0) },
            failure: { [log] in log.error($0) })
        var services = Services(
            metadata: metadata, blobs: blobs, validation: validation,
            secret: try ServerSecret(path: folder.secretFile), limits: configuration.service,
            publicURL: configuration.publicURL, localURL: { state.localURL }, now: { .now })
        services.clock = ServerClock { .now }
        services.readinessProblems = { [folder] in
            [
                claim.obstacle(note: lockNotes), folder.obstacle, state.isStopping ? "the server is stopping" : nil,
            ].compactMap { $0 }
        }
        services.notes = notes
        services.metricsReaders = configuration.metricsReaders
        services.countryHeader = configuration.countryHeader
        services.allowedOrigins = configuration.allowedOrigins
        services.accelRedirectPrefix = configuration.accelRedirectPrefix
        let service = HearthService(services, log: { [log] in log.error($0) })
        self.service = service
        log.routeNames = service.routeNames
        clockWatch = PeriodicTask(
            "clock", scheduler: DispatchScheduler(label: "app.hearth.clock"), pauseSeconds: 1,
            note: { [log] in log.error($0) },
            failure: { [log] in log.error($0) }, work: { service.tickClock() })
        experiments = PeriodicTask(
            "experiments", scheduler: DispatchScheduler(label: "app.hearth.experiments"),
            pauseSeconds: configuration.experimentCheckSeconds, note: { [log] in log.info($0) },
            failure: { [log] in log.error($0) }, work: { try service.endDecidedExperiments() })
        self.log = log
        http = HTTPServer(
            configuration: httpConfiguration, handler: service, errors: HearthService.errorRenderer,
            log: { [log, metrics = service.metrics] entry in
                metrics.record(FinishedRequest(entry))
                log.request(entry)
            })
        try http.listen(on: port)
        ServerGauges(
            http: http, service: service, validation: validation, maintenance: upkeepStatus, clock: services.clock
        ).add(to: service.metrics)
    }

    private static func lostSecret(_ path: String) -> String {
        """
        The signing secret \(path) was missing; a new one is made. Devices' tokens and links that were given out are \
        void: devices register anew, tools sign in anew. If it was lost, stop the server and restore the file from a backup.
        """
    }

    private static func openSecret(_ path: String) -> String {
        """
        The signing secret \(path) could be used by others than its owner; now it cannot. If somebody may have read it, stop \
        the server, remove the file and start: a new one is made, and tokens and links that were given out are void.
        """
    }

    /// Makes the first project if there is none, brings the credentials files up to date, and begins to serve.
    ///
    /// The server answers no request before all else is done.
    package func start() throws -> Start {
        do {
            let host = configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address
            state.localURL = "\(configuration.tlsCertificateFile == nil ? "http" : "https")://\(host):\(http.port)"
            let start = try ServerDatabase.naming(folder.databaseFile) {
                let start = try prepare(url: configuration.publicURL ?? state.localURL)
                try validation.start()
                return start
            }
            for line in try service.beginClock() { log.error(line) }
            try http.start()
            clockWatch.start()
            for note in notes { log.notice("Note: \(note).") }
            // What a first start finds there is not judged at once.
            maintenance.start(afterPause: claim.isFirstStart)
            experiments.start()
            return start
        } catch {
            http.stop()
            throw error
        }
    }

    private func prepare(url: String) throws -> Start {
        let credentials = CredentialsFileSet(folder: folder)
        let pending = PendingCredentials(layout: folder.layout, folderID: metadata.folderID)
        let projects = Set(try metadata.read { try $0.projects().map(\.id) })
        if projects.isEmpty {
            let id = configuration.projectID ?? Self.defaultProjectID
            try makeProject(id, credentials, pending, url: url)
            return Start(url: url, newProjectID: id, credentials: credentials.files)
        }
        for path in try pending.activate() {
            log.error("The credentials file \(path) keeps its name, because there is another in its place.")
        }
        return Start(
            url: url, newProjectID: nil, credentials: try credentials.updateURL(url, projects: projects))
    }

    private func makeProject(
        _ id: String, _ credentials: CredentialsFileSet, _ pending: PendingCredentials, url: String
    ) throws {
        // Before the project is recorded, nobody knows what is in the files, and the next start writes them anew; after
        // that, it gives them their names.
        let first = try NewProject(projectID: id, nowMicroseconds: Timestamp.now.microseconds)
        try credentials.write(first, url: url, as: pending)
        try metadata.write { store in
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

    /// Takes over what has changed in the certificate's files, and goes on in a new log file.
    package func reload() {
        do {
            try log.reopen()
        } catch {
            log.error("\(error) The log goes on where it was.")
        }
        do {
            guard let tls = try configuration.tls else { return log.notice("Reloaded.") }
            try http.replaceTLS(with: tls)
            log.notice("Reloaded: new connections get the certificate in \(configuration.tlsCertificateFile ?? "").")
        } catch {
            log.error("The certificate was not reloaded, and the one before stays: \(error)")
        }
    }

    /// Returns when the transfers and the checks under way are over; a check takes seconds at most.
    ///
    /// Serves on for `drainSeconds` first, and says that it is not ready, so that a load balancer can turn elsewhere.
    package func stop() {
        state.beginStopping()
        // Their devices come back in a moment, and find another server if there is one.
        http.endStreams()
        Thread.sleep(forTimeInterval: configuration.drainSeconds)
        let idle = DispatchSemaphore(value: 0)
        // First, so that calls that wait for a check are answered now.
        validation.stop { idle.signal() }
        maintenance.stop { idle.signal() }
        experiments.stop { idle.signal() }
        clockWatch.stop { idle.signal() }
        http.stop()
        for _ in 1...4 { idle.wait() }
        for line in service.tickClock(isLast: true) { log.error(line) }
        claim.release()
    }

    private static let defaultProjectID = "hearth-default"
}

extension FinishedRequest {
    fileprivate init(_ entry: AccessLogEntry) {
        self.init(
            route: entry.route, method: entry.method?.rawValue, status: entry.status, microseconds: entry.microseconds,
            bytesIn: entry.requestBytes, bytesOut: entry.responseBytes)
    }
}

/// What handlers need to know of a server that was not there yet when they were made.
final class ServerState: Sendable {
    private let url = Lock("")
    private let stopping = Atomic(false)

    /// The address listened on; empty until the port is known.
    var localURL: String {
        get { url.withLock { $0 } }
        set { url.withLock { $0 = newValue } }
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }
}
