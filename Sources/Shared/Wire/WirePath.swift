/// The paths of the calls that devices make, below the server's address.
package enum WirePath {
    /// A part of the server's interface, with its path.
    package enum Interface: String, Sendable {
        /// Firebase Installations and Remote Config.
        case v1 = "/v1"
        /// Firebase ML.
        case v1beta2 = "/v1beta2"
        /// Hearth's own calls.
        case hearth = "/hearth/v1"
    }

    /// The path `/v1/projects/PROJECT/RESOURCE`.
    ///
    /// - Parameter resource: Encoded already, as by ``PercentEncoding``.
    package static func project(_ projectID: String, _ interface: Interface, _ resource: String) -> String {
        "\(interface.rawValue)/projects/\(PercentEncoding.encode(projectID))/\(resource)"
    }
}
