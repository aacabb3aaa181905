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
    /// - Parameter resource: Encoded already, as by ``segment(_:)``.
    package static func project(_ projectID: String, _ interface: Interface, _ resource: String) -> String {
        "\(interface.rawValue)/projects/\(segment(projectID))/\(resource)"
    }

    /// Percent-encodes one path segment: everything except letters, digits and `-._~`.
    package static func segment(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
