/// What the server answered instead of a token: the underlying error of an `NSError` of the installations domain. The rules
/// about trying again are those of whoever asked.
package struct InstallationRefusal: Error, Sendable, Equatable {
    /// The HTTP status of the server's last answer.
    package let status: Int
    /// How long the server is left alone from now on; nil when nothing but another configuration helps.
    package let retryAfterSeconds: Double?
}
