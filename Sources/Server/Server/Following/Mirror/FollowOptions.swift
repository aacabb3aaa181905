package import HearthTransport

/// What a follower needs besides the settings of a server.
package struct FollowOptions: Sendable {
    /// The address of the main server.
    package var mainURL: String
    /// An admin token of the role mirror.
    package var token: String
    package var transport: any Transport
    /// From one question for changes to the next.
    package var pollSeconds = 2.0
    /// How old the copy may be that answers devices; nil for what the settings say.
    package var staleServingHours: Int?
    /// Whether all versions are kept, not only those that devices get.
    package var keepsAllVersions = false
    /// Whether an older state, or that of another server, is used.
    package var acceptsRestored = false
    /// How long files stay that no release needs. It is longer than the links to them.
    var unneededFor: Duration = .seconds(7200)
    var diskReserveBytes: UInt64 = 0

    package init(mainURL: String, token: String, transport: any Transport) {
        self.mainURL = mainURL
        self.token = token
        self.transport = transport
    }
}
