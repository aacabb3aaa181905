/// A project: the owner of models, service accounts and API keys.
public struct Project: Sendable, Hashable {
    /// `[a-z0-9-]{6,30}`.
    public var id: String
    /// The decimal number in app ids and resource names of the Installations API.
    public var number: Int64
    public var createdMicroseconds: Int64

    public init(id: String, number: Int64, createdMicroseconds: Int64) {
        self.id = id
        self.number = number
        self.createdMicroseconds = createdMicroseconds
    }
}
