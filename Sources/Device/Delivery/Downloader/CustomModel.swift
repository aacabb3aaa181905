/// A model that lies on this device, whole and verified.
public struct CustomModel: Hashable, Sendable {
    /// Its display name on the server.
    public let name: String
    /// Length in bytes.
    public let size: Int
    /// Absolute path of the file. It stays where it is at least until the second update after this one.
    public let path: String
    /// Lower-case hex SHA-256 of the file.
    public let hash: String
    /// The server's number of this version, if it told one. Hearth's addition.
    public let version: Int?

    /// Those for which the server chose this version; no part of what the model is.
    let experiments: [ModelExperiment]

    init(
        name: String, size: Int, path: String, hash: String, version: Int? = nil, experiments: [ModelExperiment] = []
    ) {
        self.name = name
        self.size = size
        self.path = path
        self.hash = hash
        self.version = version
        self.experiments = experiments
    }

    func with(_ version: Int?, _ experiments: [ModelExperiment]) -> CustomModel {
        CustomModel(name: name, size: size, path: path, hash: hash, version: version, experiments: experiments)
    }

    public static func == (left: CustomModel, right: CustomModel) -> Bool {
        left.name == right.name && left.size == right.size && left.path == right.path && left.hash == right.hash
            && left.version == right.version
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(path)
        hasher.combine(hash)
        hasher.combine(version)
    }
}
