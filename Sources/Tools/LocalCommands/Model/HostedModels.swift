/// Where models come from that are named on the command line and are not on this disk.
package protocol HostedModels: SendableMetatype {
    /// The path of the hosted model on this disk, once it is there. May end the program instead, having handed the whole
    /// command over to one that can fetch.
    ///
    /// - Parameter config: The `GoogleService-Info.plist` that the user named.
    static func path(of model: String, config: String?) throws -> String
}
