/// What an installation said when it asked for a model: which version it has, and what it is.
package struct AdoptionSighting: Sendable, Hashable {
    package var modelID: Int64
    /// `InstallationHash` of the installation.
    package var installation: Int64
    /// The first 8 bytes of the SHA-256 that it named; nil if it named none.
    package var named: UInt64?
    /// Empty if it did not say.
    package var system: String
    package var appVersion: String
    /// Days since 1970-01-01, in UTC by the server's clock.
    package var day: Int64

    package init(
        modelID: Int64, installation: Int64, named: UInt64?, system: String, appVersion: String, day: Int64
    ) {
        self.modelID = modelID
        self.installation = installation
        self.named = named
        self.system = system
        self.appVersion = appVersion
        self.day = day
    }
}
