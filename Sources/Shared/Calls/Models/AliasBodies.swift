import HearthWire

/// Bodies of the calls about the aliases of versions, below `/hearth/v1/projects/{project}/models/{numeric id}`:
/// `GET …/aliases`, `PUT` and `DELETE …/aliases/{alias}`. Times are RFC 3339.
public enum AliasBodies {
    /// A name within a model for exactly one of its versions.
    public struct Alias: Codable, Sendable, Hashable {
        /// 1 to 32 small letters, digits and hyphens, of which the first is a letter.
        public var alias: String
        /// The number of the version.
        public var version: Int
        /// Since when it names this version.
        public var updateTime: String
        /// Who gave it to this version: a service account's email, or `token:{id}`.
        public var updatedBy: String
        /// In the answer to a call that moved it: the version that it named before.
        public var previousVersion: Int?
        /// True in the answer to a call that changed nothing, because it named this version already.
        public var unchanged: Bool?

        package init(alias: String, version: Int, updateTime: String, updatedBy: String) {
            self.alias = alias
            self.version = version
            self.updateTime = updateTime
            self.updatedBy = updatedBy
        }
    }

    /// The list, in alphabetical order.
    package struct List: Codable, Sendable {
        package var aliases: [Alias]?

        package init(aliases: [Alias]?) { self.aliases = aliases }
    }

    /// The version that gets the alias.
    package struct PutRequest: Codable, Sendable, KeyedBody {
        package var version: Int

        package enum CodingKeys: String, CodingKey, CaseIterable { case version }

        package init(version: Int) { self.version = version }
    }
}
