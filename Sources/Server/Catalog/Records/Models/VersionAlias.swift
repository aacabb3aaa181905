/// A name within a model for exactly one of its versions, such as `champion`. It can be moved to another version.
package struct VersionAlias: Sendable, Hashable {
    /// The most aliases of a model.
    package static let limit = 20

    package var modelID: Int64
    /// In the form of `WireNames.isVersionAlias`; unique in the model.
    package var name: String
    package var version: Int
    /// Since when it names this version.
    package var movedMicroseconds: Int64
    /// Who gave it to this version: a service account's email, or `token:{id}`.
    package var movedBy: String

    package init(modelID: Int64, name: String, version: Int, movedMicroseconds: Int64, movedBy: String) {
        self.modelID = modelID
        self.name = name
        self.version = version
        self.movedMicroseconds = movedMicroseconds
        self.movedBy = movedBy
    }
}
