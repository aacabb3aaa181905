public import HearthWire

/// Bodies of `POST …/remoteConfig:importVersion`, which puts a version of another service's template into the history.
///
/// The request is a `RemoteConfigTemplate` with its version. The query item `activate=true` lets a version replace the
/// active one.
public enum TemplateImportBodies {
    /// What became of the version.
    public enum Place: String, Codable, Sendable {
        /// It is the template that devices get now.
        case active
        /// It is a version of the history.
        case history
        /// It was there already.
        case unchanged
    }

    /// The answer.
    public struct Result: Codable, Sendable {
        /// The version as the server lists it.
        public var version: RemoteConfigVersion
        /// A `Place`.
        public var place: String

        package init(version: RemoteConfigVersion, place: String) {
            self.version = version
            self.place = place
        }
    }
}
