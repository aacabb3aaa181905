/// A model on this device, whole and verified.
public struct CustomModel: Hashable, Sendable {
    /// The model's display name on the server.
    public let name: String
    /// Length in bytes.
    public let size: Int
    /// The absolute path of the file. The file stays there at least until the second update after this one.
    public let path: String
    /// The SHA-256 of the file, in lower-case hex.
    public let hash: String
    /// The server's number of this version; nil when the server sent none. Hearth's addition.
    public let version: Int?

    /// The experiments for which the server chose this version. They are not part of the model's identity.
    let experiments: [ModelExperiment]

    /// Not part of the model's identity either.
    let watch = VersionWatch()

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

    /// A copy, for the bytes that this model has, with another version number and other experiments.
    func with(_ version: Int?, _ experiments: [ModelExperiment]) -> CustomModel {
        CustomModel(name: name, size: size, path: path, hash: hash, version: version, experiments: experiments)
    }

    /// Compares name, size, path, hash and version.
    public static func == (left: CustomModel, right: CustomModel) -> Bool {
        left.name == right.name && left.size == right.size && left.path == right.path && left.hash == right.hash
            && left.version == right.version
    }

    /// Hashes the model.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(path)
        hasher.combine(hash)
        hasher.combine(version)
    }
}
