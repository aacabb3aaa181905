import Dispatch
import Foundation
import HearthConcurrency
import HearthDevicePlane
import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthMetrics
import HearthRouting
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
    private let listeners: Listeners
    private var running: Running?
    package let log: ServerLog

    /// What exists once there is a state.
    private struct Running {
        let http: ListeningServers
        let parts: ServerParts
        let state: ServerState
    }

    /// Opens the data folder, and makes it if necessary. One server per folder.
    package init(
        _ configuration: ServerConfiguration, _ options: FollowOptions, files: OpenFileLimit = OpenFileLimit()
    ) throws {
        let configuration = configuration.within(files).0
        self.configuration = configuration
        var options = options
        options.unneededFor = .seconds(max(7200, 2 * configuration.service.linkSeconds))
        options.diskReserveBytes = configuration.service.diskReserveMebibytes << 20
        self.options = options
        listeners = try Listeners(configuration, isForDevices: true)
        folder = try DataFolder(path: configuration.dataFolder)
        if let path = configuration.logFile { try LogFile.check(path, layout: folder.layout) }
        let follow = try FollowState.forFollower(folder.layout, main: options.mainURL)
        claim = try DataFolderLock(folder.layout)
        try folder.recover()
        // Before the database, so that a folder with a database and without this file is that of a main server.
        try follow.write(folder.layout)
        data = try ServerData(in: folder)
        log = try ServerLog(configuration)
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
        let running = try prepare()
        self.running = running
        try running.parts.start()
        return running.state.localURL
    }

    private func prepare() throws -> Running {
        let (folder, claim, status) = (folder, claim, status)
        let state = ServerState()
        guard let mirrored = try MirroredSecret(file: folder.layout.mirroredKeys, signs: true) else {
            throw ServerStartError(
                "The file \(folder.layout.mirroredKeys) is missing. Follow into a new --data folder.")
        }
        let secret = try ServerSecret(
            store: data.signingKeys, mirrored: mirrored, nowMicroseconds: Timestamp.now.microseconds)
        mirror.use(secret)
        var services = Services(configuration, data, secret, state) { [log] in
            [
                claim.obstacle(note: { log.error($0) }), folder.obstacle(hasDatabase: true),
                status.isStale
                    ? "the main server has not answered for more than \(status.staleServingHours) hours" : nil,
            ].compactMap { $0 }
        }
        services.isFollower = true
        let devices = DevicePlane(services, data.metadata, log: { [log] in log.error($0) })
        let monitoring = Monitoring(devices)
        var log = log
        log.routeNames = monitoring.routeNames
        let handler = FollowerHandler(
            devices: devices, handler: monitoring.deviceHandler,
            forwarder: DeviceForwarder(options.mainURL, options.transport, status, cancellation),
            installations: installations,
            metadata: data.metadata, status: status, bodyBytes: configuration.service.requestBodyBytes)
        let http = try listeners.listen(
            everything: handler, devices: handler, errors: HTTPFault.envelope,
            log: log.access(monitoring.metrics))
        state.localURL = configuration.publicURL ?? http.url
        ServerGauges(
            http: http.main, devices: devices, validation: nil, maintenance: nil, clock: services.clock, data: data,
            folders: [("data", folder.layout.path), ("blobs", folder.layout.blobFolder)]
        ).add(to: monitoring.metrics)
        status.add(to: monitoring.metrics)
        let parts = devices.parts(log.parts) + [http.part, threads.part]
        return Running(http: http, parts: ServerParts(parts), state: state)
    }

    /// Reads the certificate's files again, and continues in a new log file.
    package func reload() {
        do {
            try log.reopen()
            guard let tls = try configuration.tls else { return log.notice("Reloaded.") }
            try running?.http.replaceTLS(with: tls)
            log.notice("Reloaded: new connections get the certificate in \(configuration.tlsCertificateFile ?? "").")
        } catch {
            log.error("Not everything was reloaded: \(error)")
        }
    }

    /// Returns when the transfers in progress are over.
    package func stop() {
        running?.state.beginStopping()
        running?.http.endStreams()
        if running != nil { Thread.sleep(forTimeInterval: configuration.drainSeconds) }
        cancellation.cancel()
        running?.parts.stop()
        running?.parts.finish { log.error($0) }
        mirror.saveContact()
        claim.release()
    }
}
