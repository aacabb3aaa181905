import HearthCalls
package import HearthHTTP
package import HearthIdentity
package import HearthStorage
package import HearthWire
package import HearthWork

/// What all routes work with.
package struct Services: Sendable {
    package var blobs: any BlobStore
    /// Signs and verifies all of the following.
    package var secret: ServerSecret
    package var accessTokens: AccessTokens
    package var installationTokens: InstallationTokens
    package var links: LinkSigner
    package var installationHash: InstallationHash
    package var limits: ServiceLimits
    /// The address under which devices reach the server; nil to trust the `Host` header of clients on this machine.
    package var publicURL: String?
    /// The address that the server itself knows, for links when there is no other.
    package var localURL: @Sendable () -> String
    /// The address under which people and tools reach the server, if it is another one and is set.
    package var adminURL: String?
    /// The address that the server itself knows for them; nil if they use that of devices.
    package var localAdminURL: @Sendable () -> String? = { nil }
    package var now: @Sendable () -> Timestamp
    /// The moment that decides whether something has ended or expired; derived from `now` by default.
    package var clock: ServerClock
    /// Runs periodic work.
    package var scheduler: any WorkScheduler = DispatchScheduler(label: "app.hearth.updates")
    /// Why clients should send no requests here now, apart from a database that does not answer; empty when the server
    /// is ready.
    package var readinessProblems: @Sendable () -> [String] = { [] }
    /// Facts that the operator should know although the server is ready, one line each.
    package var notes: [String] = []
    /// The addresses that may read the metrics, besides clients on this machine.
    package var metricsReaders = AddressRanges()
    /// The header field in which a trusted proxy sends the client's country (ISO 3166); nil for none.
    package var countryHeader: String?
    /// Which web pages may call the routes of devices.
    package var allowedOrigins = AllowedOrigins.any
    /// Whether there is a console, and how long people stay signed in to it.
    package var console = ConsoleLifetimes()
    /// The path prefix under which a proxy in front sends the blobs itself (`X-Accel-Redirect`); nil if this server
    /// sends them.
    package var accelRedirectPrefix: String?
    package var modelLinks = ModelLinks.server
    /// The id of the data, which never changes.
    package var folderID = ""
    /// Whether this server copies another one, which must hear of the installations that register here.
    package var isFollower = false

    package init(
        blobs: any BlobStore, secret: ServerSecret,
        limits: ServiceLimits = ServiceLimits(), publicURL: String?, localURL: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.blobs = blobs
        self.secret = secret
        accessTokens = AccessTokens(secret: secret)
        installationTokens = InstallationTokens(secret: secret)
        links = LinkSigner(secret: secret)
        installationHash = InstallationHash(secret: secret)
        self.limits = limits
        self.publicURL = publicURL
        self.localURL = localURL
        self.now = now
        clock = ServerClock(wallMicroseconds: { now().microseconds })
    }
}

/// From where devices fetch model files.
package enum ModelLinks: Sendable, Hashable {
    /// From this server, with links that it signs.
    case server
    /// From the store, with links that it accepts for a while.
    case store
    /// From an address, such as that of a CDN, to which the hash of the file is appended. Anybody may fetch from it who
    /// knows the hash.
    case prefix(String)

    /// `server`, `store`, or an address that begins with http:// or https:// and ends with '/'.
    package init?(_ text: String) {
        switch text {
        case "server": self = .server
        case "store": self = .store
        default:
            guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.hasSuffix("/"), text.utf8.count <= 2000,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3F && $0 != 0x23 })
            else { return nil }
            self = .prefix(text)
        }
    }

    package var text: String {
        switch self {
        case .server: "server"
        case .store: "store"
        case .prefix(let prefix): prefix
        }
    }
}

/// Limits of the service.
package struct ServiceLimits: Sendable, Hashable {
    /// The largest model file.
    package var uploadBytes: UInt64 = 1 << 30
    /// The free space that uploads leave, in MiB; 0 to let them fill the disk.
    package var diskReserveMebibytes: UInt64 = 256
    /// How long a resumable upload is kept after its last bytes arrived.
    package var uploadSessionDays = 7
    /// The most unfinished resumable uploads of one project.
    package var uploadSessionsPerProject = 100
    /// The largest JSON that describes a file in Google's storage API.
    package var uploadMetadataBytes = 1 << 16
    /// The largest JSON or form body, also after decompression.
    package var requestBodyBytes = 1 << 20
    /// How long a signed link to a file is valid.
    package var linkSeconds: Int64 = 3600
    /// The most models on one page of a list.
    package var pageSize = 100
    /// How long a call waits for the validation of a file before it answers with an unfinished operation.
    package var validationWaitSeconds = 25.0
    /// The most slow calls of one project that wait with their bodies: changes of templates, conditions and
    /// experiments.
    package var waitingChangesPerProject = 32
    /// The most slow reading calls of one project that wait: templates, experiments, lists, exports.
    package var waitingReadsPerProject = 500
    /// The most slow fetches of one project's devices that wait.
    package var waitingFetchesPerProject = 500
    /// How often callers may call.
    package var rates = RateLimits()
    /// How many devices may wait for template updates at once.
    package var updateStreams = UpdateStreamLimits()
    /// The most guarded releases that are watched at once; each may need 14 MB.
    package var watchedReleases = 64
    /// How often the server looks at guarded releases, and tells other servers what it has seen.
    package var rolloutCheckSeconds = 10.0
    /// How often the server analyses the running experiments.
    package var experimentCheckSeconds = 60.0
    /// How long an uploaded file is kept that no version uses.
    package var unusedUploadDays = 30
    /// How long devices are answered from memory while a database elsewhere is away.
    package var staleServingHours: Int64 = 24

    package init() {}
}

/// How many devices may wait for template updates at once: in all, and per project, key and network.
package struct UpdateStreamLimits: Sendable, Hashable {
    /// In all. Each has an open connection.
    package var streams = 1000
    /// The share that one project may have.
    package var projectPercent = 100
    /// The share that one API key may have.
    package var keyPercent = 100
    /// The share that one client address, for IPv6 one /64 network, may have.
    package var networkPercent = 10

    package init() {}

    package var perProject: Int { places(percent: projectPercent) }
    package var perKey: Int { places(percent: keyPercent) }
    package var perNetwork: Int { places(percent: networkPercent) }

    /// At least one: a share that rounds down to zero would shut out all devices. A share of 100 percent sets
    /// no limit of its own.
    private func places(percent: Int) -> Int { percent < 100 ? max(1, streams * percent / 100) : .max }
}
