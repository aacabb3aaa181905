import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthManagement
import HearthMetrics
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// What a server's calls work with, made from its settings and its data.
extension Services {
    /// - Parameter secret: signs tokens and links.
    init(
        _ configuration: ServerConfiguration, _ data: ServerData, _ secret: ServerSecret, _ state: ServerState,
        problems: @escaping @Sendable () -> [String]
    ) {
        self.init(
            blobs: data.blobs, secret: secret, limits: configuration.service,
            publicURL: configuration.publicURL, localURL: { state.localURL }, now: { .now })
        clock = ServerClock { .now }
        readinessProblems = { problems() + (state.isStopping ? ["the server is stopping"] : []) }
        metricsReaders = configuration.metricsReaders
        countryHeader = configuration.countryHeader
        allowedOrigins = configuration.allowedOrigins
        accelRedirectPrefix = configuration.accelRedirectPrefix
        modelLinks = configuration.modelLinks
        folderID = data.folderID
    }

    /// Those of a main server, which has a console and an address for tools.
    init(
        _ configuration: ServerConfiguration, _ folder: DataFolder, _ claim: DataFolderLock, _ data: ServerData,
        _ state: ServerState, notes: [String], _ log: ServerLog
    ) throws {
        let secret = try ServerSecret(
            store: data.signingKeys, mirrored: try MirroredSecret(file: folder.layout.mirroredKeys, signs: false),
            nowMicroseconds: Timestamp.now.microseconds)
        self.init(configuration, data, secret, state) { [blobs = data.blobs, isShared = data.isShared] in
            [
                claim.obstacle(note: { log.error($0) }), folder.obstacle(hasDatabase: !isShared), blobs.refusal,
            ].compactMap { $0 }
        }
        adminURL = configuration.adminURL
        localAdminURL = { state.localAdminURL }
        console = configuration.consoleLifetimes
        console.isServed = configuration.isConsoleServed
        self.notes = notes
    }
}

extension ManagementServices {
    /// - Parameter program: the one that reads model files.
    init(
        _ configuration: ServerConfiguration, _ services: Services, _ metadata: any MetadataStore, program: String,
        _ state: ServerState, _ log: ServerLog
    ) {
        let validation = ValidationQueue(
            metadata: metadata, blobs: services.blobs,
            checker: ModelValidator(executable: program, limits: configuration.probes), limits: configuration.queue,
            scheduler: ThreadScheduler(label: "app.hearth.validation"), now: services.now, log: { log.error($0) })
        self.init(services, metadata, validation: validation, program: program, log: { log.error($0) })
        serverStatus = { state.status }
    }
}

extension ServerConfiguration {
    /// These settings with as many connections as the process may have files for, and a note where that are fewer.
    func within(_ files: OpenFileLimit) -> (ServerConfiguration, note: String?) {
        let budget = DescriptorBudget(
            connections: connections.connections + (adminListener == nil ? 0 : Self.adminConnections),
            threads: connections.threads, limit: files)
        var configuration = self
        configuration.connections.connections = budget.connections
        return (configuration, budget.note)
    }
}

extension ServerLog {
    /// - Throws: if the log file cannot be opened.
    init(_ configuration: ServerConfiguration) throws {
        self.init(
            format: configuration.logFormat, level: configuration.logLevel,
            file: try configuration.logFile.map { path throws(ServerStartError) in try LogFile(path: path) })
    }

    /// Where the parts of a server say what they do.
    var parts: PartLog { PartLog(note: { info($0) }, failure: { error($0) }) }

    /// Logs and counts finished requests.
    func access(_ metrics: ServerMetrics) -> AccessLog {
        { entry in
            metrics.record(FinishedRequest(entry))
            request(entry)
        }
    }
}

extension FinishedRequest {
    fileprivate init(_ entry: AccessLogEntry) {
        self.init(
            route: entry.route, method: entry.method?.rawValue, status: entry.status, microseconds: entry.microseconds,
            bytesIn: entry.requestBytes, bytesOut: entry.responseBytes)
    }
}
