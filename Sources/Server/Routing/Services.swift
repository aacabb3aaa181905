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
