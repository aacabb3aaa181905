import Dispatch
import Foundation
import HearthAPI
import HearthConcurrency
import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthMetrics
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// A server that answers devices with a copy of a main server's records and files, also while the main server is away.
package final class Follower {
    private let configuration: ServerConfiguration
    private let options: FollowOptions
    private let claim: DataFolderLock
    private let folder: DataFolder
    private let data: ServerData
    private let mirror: Mirror
    private let installations: InstallationExchange
    private let status: MirrorStatus
    private let threads: MirrorThreads
    private let cancellation = Cancellation()
    private let port: BoundPort
    private let httpConfiguration: HTTPServerConfiguration
    private var parts: Parts?
    package let log: ServerLog

    /// What exists once there is a state.
    private struct Parts {
        let http: HTTPServer
        let service: HearthService
        let tasks: [PeriodicTask]
        let state: ServerState
    }

    /// Opens the data folder, and makes it if necessary. One server per folder.
    package init(
        _ configuration: ServerConfiguration, _ options: FollowOptions, files: OpenFileLimit = OpenFileLimit()
    ) throws {
        var configuration = configuration
        configuration.connections.connections =
            DescriptorBudget(
                connections: configuration.connections.connections, threads: configuration.connections.threads,
                limit: files
            ).connections
        self.configuration = configuration
        var options = options
        options.unneededFor = .seconds(max(7200, 2 * configuration.service.linkSeconds))
        options.diskReserveBytes = configuration.service.diskReserveMebibytes << 20
        self.options = options
        httpConfiguration = try configuration.http
        port = try BoundPort(address: configuration.address, port: configuration.port)
        folder = try DataFolder(path: configuration.dataFolder)
        if let path = configuration.logFile { try LogFile.check(path, layout: folder.layout) }
        let follow = try FollowState.forFollower(folder.layout, main: options.mainURL)
        claim = try DataFolderLock(folder.layout)
        try folder.recover()
        // Before the database, so that a folder with a database and without this file is that of a main server.
        try follow.write(folder.layout)
        data = try ServerData(in: folder)
        var log = ServerLog(format: configuration.logFormat, level: configuration.logLevel)
        log.file = try configuration.logFile.map { path throws(ServerStartError) in try LogFile(path: path) }
        self.log = log
        let failure: @Sendable (String) -> Void = { [log] in log.error($0) }
        let note: @Sendable (String) -> Void = { [log] in log.info("follow: \($0)") }
        status = MirrorStatus(
            main: options.mainURL,
            staleServingHours: options.staleServingHours ?? Int(configuration.requests.staleServingHours),
            contactMicroseconds: follow.contactMicroseconds)
        let main = MainServer(
            url: options.mainURL, token: options.token, transport: options.transport, cancellation: cancellation)
        mirror = try Mirror(
            main, (data.metadata, data.blobs), folder.layout, follow, options, status, log: note)
        installations = InstallationExchange(
            main, (data.metadata, data.blobs), diskReserveBytes: options.diskReserveBytes)
        threads = MirrorThreads(
            mirror, installations, status, pollSeconds: options.pollSeconds, cancellation: cancellation, log: failure)
    }

    /// Ends a start that waits for the main server. Any thread.
    package var stopper: @Sendable () -> Void { { [cancellation] in cancellation.cancel() } }

    /// Begins to serve. The first start of a folder waits for the main server; later ones do not.
    ///
    /// - Returns: the address; nil if the start was ended by `stopper`.
    package func start() throws -> String? {
        if !mirror.hasState {
            log.notice("Waiting for the first state of \(options.mainURL).")
            guard try threads.waitForState() else { return nil }
        }
        let parts = try makeParts()
        self.parts = parts
        for line in try parts.service.beginClock() { log.error(line) }
        try parts.http.start()
        for task in parts.tasks { task.start() }
        threads.start()
        return parts.state.localURL
    }

    private func makeParts() throws -> Parts {
        let (metadata, blobs, folder, claim, log) = (data.metadata, data.blobs, folder, claim, log)
        let state = ServerState()
        let failure: @Sendable (String) -> Void = { [log] in log.error($0) }
        guard let mirrored = try MirroredSecret(file: folder.layout.mirroredKeys, signs: true) else {
            throw ServerStartError(
                "The file \(folder.layout.mirroredKeys) is missing. Follow into a new --data folder.")
        }
        let secret = try ServerSecret(
            store: data.signingKeys, mirrored: mirrored, nowMicroseconds: Timestamp.now.microseconds)
        mirror.use(secret)
        // A follower validates nothing.
        let validation = ValidationQueue(
            metadata: metadata, blobs: blobs,
            checker: ModelValidator(executable: configuration.probeProgram ?? "", limits: configuration.probes),
            limits: configuration.queue,
            scheduler: ThreadScheduler(label: "app.hearth.validation"), now: { .now }, log: failure)
        var services = Services(
            metadata: metadata, blobs: blobs, validation: validation, secret: secret, limits: configuration.service,
            publicURL: configuration.publicURL, localURL: { state.localURL }, now: { .now })
        services.clock = ServerClock { .now }
        services.console.isServed = false
        services.readinessProblems = { [status] in
            [
                claim.obstacle(note: failure), folder.obstacle(hasDatabase: true),
                state.isStopping ? "the server is stopping" : nil,
                status.isStale
                    ? "the main server has not answered for more than \(status.staleServingHours) hours" : nil,
            ].compactMap { $0 }
        }
        services.take(configuration)
        services.folderID = data.folderID
        services.isFollower = true
        let service = HearthService(services, log: failure)
        var requestLog = log
        requestLog.routeNames = service.routeNames
        let handler = FollowerHandler(
            service: service,
            forwarder: DeviceForwarder(options.mainURL, options.transport, status, cancellation),
            installations: installations,
            metadata: metadata, status: status, bodyBytes: configuration.service.requestBodyBytes)
        let http = HTTPServer(
            configuration: httpConfiguration, handler: handler, errors: HearthService.errorRenderer,
            log: { [requestLog, metrics = service.metrics] entry in
                metrics.record(FinishedRequest(entry))
                requestLog.request(entry)
            })
        try http.listen(on: port)
        state.localURL = url(http.port)
        ServerGauges(
            http: http, service: service, validation: validation, maintenance: MaintenanceStatus(),
            clock: services.clock, data: data,
            folders: [("data", folder.layout.path), ("blobs", folder.layout.blobFolder)]
        ).add(to: service.metrics)
        status.add(to: service.metrics)
        let tasks = [
            PeriodicTask(
                "clock", scheduler: DispatchScheduler(label: "app.hearth.clock"), pauseSeconds: 1, note: failure,
                failure: failure, work: { service.tickClock() }),
            PeriodicTask(
                "adoption", scheduler: DispatchScheduler(label: "app.hearth.adoption"), pauseSeconds: 1,
                note: failure, failure: failure,
                work: {
                    try service.writeAdoption()
                    return []
                }),
        ]
        return Parts(http: http, service: service, tasks: tasks, state: state)
    }

    private func url(_ port: UInt16) -> String {
        let address = configuration.address
        let host = address.contains(":") ? "[\(address)]" : address
        return configuration.publicURL
            ?? "\(configuration.tlsCertificateFile == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Reads the certificate's files again, and continues in a new log file.
    package func reload() {
        do {
            try log.reopen()
            guard let tls = try configuration.tls else { return log.notice("Reloaded.") }
            try parts?.http.replaceTLS(with: tls)
            log.notice("Reloaded: new connections get the certificate in \(configuration.tlsCertificateFile ?? "").")
        } catch {
            log.error("Not everything was reloaded: \(error)")
        }
    }

    /// Returns when the transfers in progress are over.
    package func stop() {
        parts?.state.beginStopping()
        parts?.http.endStreams()
        if parts != nil { Thread.sleep(forTimeInterval: configuration.drainSeconds) }
        cancellation.cancel()
        if let parts {
            threads.wait()
            let idle = DispatchSemaphore(value: 0)
            for task in parts.tasks { task.stop { idle.signal() } }
            parts.http.stop()
            for _ in parts.tasks { idle.wait() }
            do {
                try parts.service.writeAdoption(isLast: true)
            } catch {
                log.error("adoption: \(error)")
            }
            for line in parts.service.tickClock(isLast: true) { log.error(line) }
        }
        mirror.saveContact()
        claim.release()
    }
}
