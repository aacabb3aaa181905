import Foundation
import HearthAPI
import HearthFiles
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthStorageSQLite
import HearthValidation
import HearthWire
import Synchronization

/// The server's parts, put together over one data folder.
final class HearthServer {
    struct Configuration {
        var dataFolder: String
        var address: String
        var port: UInt16
        var tls: HTTPServerConfiguration.TLS?
        var publicURL: String?
        var projectID: String
        var logsRequests: Bool
    }

    struct Start {
        var url: String
        var isFirst: Bool
        var adminCredentials: String
        var deviceCredentials: String
    }

    private let configuration: Configuration
    private let folder: DataFolder
    private let lock: FileLock
    private let metadata: SQLiteMetadataStore
    private let http: HTTPServer
    /// Known once the port is.
    private let localURL: LocalURL

    /// Opens the data folder, or makes it. One server per folder.
    init(_ configuration: Configuration) throws {
        self.configuration = configuration
        folder = try DataFolder(path: configuration.dataFolder)
        guard let lock = try FileLock.tryAcquire(folder.lockFile) else {
            throw CommandFailure("Another server uses the data folder \(configuration.dataFolder).")
        }
        self.lock = lock
        metadata = try SQLiteMetadataStore(path: folder.databaseFile)
        let localURL = LocalURL()
        self.localURL = localURL
        let services = Services(
            metadata: metadata, blobs: try FileBlobStore(folder: folder.blobFolder), validator: ModelValidator(),
            secret: try ServerSecret(path: folder.secretFile), publicURL: configuration.publicURL,
            localURL: { localURL.value }, now: Self.now)
        let logsRequests = configuration.logsRequests
        http = HTTPServer(
            configuration: HTTPServerConfiguration(
                address: configuration.address, port: configuration.port, tls: configuration.tls),
            handler: HearthService(services, log: { ServerLog.error($0) }), errors: HearthService.errorRenderer,
            log: { entry in if logsRequests { ServerLog.request(entry) } })
    }

    /// Listens, makes the first project if there is none, and brings the credentials files up to date.
    func start() throws -> Start {
        try http.start()
        let host = configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address
        localURL.value = "\(configuration.tls == nil ? "http" : "https")://\(host):\(http.port)"
        let url = configuration.publicURL ?? localURL.value
        let credentials = Credentials(folder: folder)
        let isFirst = try metadata.read { try $0.projects().isEmpty }
        if isFirst {
            // The files first: a crash before the project is recorded leaves files that the next start replaces.
            let first = try FirstStart(
                projectID: configuration.projectID, nowMicroseconds: Self.now().microseconds)
            try credentials.write(first, url: url)
            try metadata.write { store in
                try store.insert(first.project)
                try store.insert(first.account)
            }
        } else {
            try credentials.updateURL(url)
        }
        return Start(
            url: url, isFirst: isFirst, adminCredentials: folder.adminCredentials,
            deviceCredentials: folder.deviceCredentials)
    }

    func stop() { http.stop() }

    private static let now: @Sendable () -> Timestamp = {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}

/// The address listened on, for handlers that were made before the port was known.
private final class LocalURL: Sendable {
    private let text = Mutex("")

    var value: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
