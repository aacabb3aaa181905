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

/// The variant of an experiment for which the server chose the version of a model.
struct ModelExperiment: Codable, Sendable, Hashable {
    /// How many experiments a server may name at once, and how many bytes their names may have.
    private static let limit = 20
    private static let limitBytes = 256

    var experiment: String
    var variant: String
    /// When the experiment started, in the server's own form; nil when the server does not send it.
    var start: String?

    /// The experiments in the values of the header `X-Hearth-Experiment`: `EXPERIMENT/VARIANT/START,
    /// EXPERIMENT/VARIANT/START`, with or without the start. Leaves out entries that are not readable.
    static func all(in headers: [String]) -> [ModelExperiment] {
        let entries = headers.flatMap { $0.split(separator: ",") }.prefix(limit)
        return entries.compactMap { entry in
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false).map(trimmed)
            guard (2...3).contains(parts.count), parts.allSatisfy({ (1...limitBytes).contains($0.utf8.count) }) else {
                return nil
            }
            return ModelExperiment(experiment: parts[0], variant: parts[1], start: parts.count > 2 ? parts[2] : nil)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
