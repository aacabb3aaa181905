import Dispatch
import Foundation
import HearthCatalog
import HearthConcurrency
import HearthConsole
import HearthFiles
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
    private let http: ListeningServers
    private let parts: ServerParts
    private let state: ServerState
    package let log: ServerLog

    /// Opens the data folder, and makes it if necessary. One server per folder.
    ///
    /// - Parameter files: how many files the process may open.
    package init(_ configuration: ServerConfiguration, files: OpenFileLimit = OpenFileLimit()) throws {
        let (configuration, note) = configuration.within(files)
        self.configuration = configuration
        notes = [note].compactMap { $0 }
        guard let program = configuration.probeProgram else {
            throw ServerStartError("The server needs a program that validates uploaded models: set probeProgram.")
        }
        // All refusals come before anything is made, so that a refused start leaves no folder behind.
        let listeners = try Listeners(configuration)
        folder = try DataFolder(path: configuration.dataFolder)
        if let path = configuration.logFile { try LogFile.check(path, layout: folder.layout) }
        try FollowState.checkMainServer(folder.layout)
        let shared = try SharedData(configuration, environment: ProcessInfo.processInfo.environment)
        claim = try DataFolderLock(
            folder.layout, projectID: configuration.insistsOnProject ? configuration.projectID : nil,
            isShared: shared != nil)
        try folder.recover()
        let lacksSecret = folder.lacksSecret()
        var log = try ServerLog(configuration)
        data = if let shared { try ServerData(shared, in: folder, log) } else { try ServerData(in: folder) }
        try folder.reportSecrets(lacksSecret: lacksSecret, data.metadata, log)
        if let reason = data.metadata.readOnlyReason {
            log.notice("\(ReadOnlyMark(reason).summary). `hearth admin read-only off` ends this.")
        }
        state = ServerState()
        let services = try Services(configuration, folder, claim, data, state, notes: notes, log)
        let managing = ManagementServices(
            configuration, services, data.metadata, program: program, state, log)
        let service = HearthService(
            services, data.metadata, managing, otherRoutes: Console.routeNames(publicURL: configuration.consoleURL),
            log: { [log] in log.error($0) })
        log.routeNames = service.routeNames
        self.log = log
        http = try listeners.listen(
            everything: Self.handler(service, configuration, log),
            devices: WithoutConsole(service: service.deviceHandler), errors: HTTPFault.envelope,
            log: log.access(service.metrics))
        let upkeep = Upkeep(configuration, folder, claim, data, managing.validation.blobLock, state, log)
        parts = ServerParts(
            service.parts(log.parts, messages: { [log] in log.messages($0) }) + [http.part] + upkeep.parts(log.parts))
        // Before any request needs one of the files.
        try upkeep.restoreFromTrash()
        state.statusReader = ServerStatusReader(
            configuration: configuration, layout: folder.layout, data: data, confirmation: upkeep.confirmation,
            maintenance: upkeep.status, start: .now, connections: { [weak http] in http?.openConnections ?? 0 })
        ServerGauges(
            http: http.main, devices: service.devices, validation: managing.validation, maintenance: upkeep.status,
            clock: services.clock, data: data,
            folders: [("data", folder.layout.path), ("blobs", folder.layout.blobFolder)]
        ).add(to: service.metrics)
        SharedDataMetrics(metadata: data.metadata, blobs: data.blobs).add(to: service.metrics)
    }

    /// The API, and the console if there is one.
    private static func handler(
        _ service: HearthService, _ configuration: ServerConfiguration, _ log: ServerLog
    ) -> any RequestHandler {
        guard configuration.isConsoleServed else { return WithoutConsole(service: service) }
        let environment = Console.Environment(
            server: service.consoleServices, publicURL: configuration.consoleURL,
            sessionSeconds: configuration.consoleLifetimes.sessionHours * 3600, log: { log.error($0) })
        let names = Console.routeNames(publicURL: configuration.consoleURL)
        let console = Console(environment, firstRouteNumber: service.routeNames.count - names.count + 1)
        return ConsoleAndService(console: console, service: service)
    }

    /// Makes the first project if there is none, updates the credentials files, and begins to serve.
    ///
    /// The server answers no request before the rest is done.
    package func start() throws -> Start {
        state.localURL = http.url
        state.localAdminURL = http.adminURL
        let adminURL = configuration.adminURL ?? http.adminURL
        let deviceURL = configuration.publicURL ?? http.url
        var start = try ServerDatabase.naming(data.databaseName) {
            let start: Start
            do {
                start = try prepare(admin: adminURL ?? deviceURL, device: deviceURL)
            } catch {
                // The ports are bound already.
                parts.stop()
                throw error
            }
            try parts.start()
            return start
        }
        if configuration.isConsoleServed { start.consoleURL = (adminURL ?? deviceURL) + "/console/" }
        for note in notes { log.notice("Note: \(note).") }
        return start
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
        Thread.sleep(forTimeInterval: configuration.drainSeconds)
        parts.stop()
        defer { claim.release() }
        // What devices have reported since then is lost, as after a crash.
        guard data.metadata.readOnlyReason == nil else { return }
        parts.finish { log.error($0) }
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
