/// What a caller may say about a model. Everything else in the body is the server's, and ignored whatever it is.
struct ModelRequest: Decodable {
    var displayName: String?
    var tags: [String]?
    var published: Bool?
    var gcsTfliteUri: String?
    var contractCheck: String?
    /// Changes nothing: it tells which file the caller had seen.
    var modelHash: String?

    private enum Keys: String, CodingKey { case displayName, tags, state, tfliteModel, hearth, modelHash }
    private enum StateKeys: String, CodingKey { case published }
    private enum FileKeys: String, CodingKey { case gcsTfliteUri }
    private enum HearthKeys: String, CodingKey { case contractCheck }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: Keys.self)
        displayName = try body.decodeIfPresent(String.self, forKey: .displayName)
        tags = try body.decodeIfPresent([String].self, forKey: .tags)
        published = try Self.container(body, .state, StateKeys.self)?.decodeIfPresent(Bool.self, forKey: .published)
        gcsTfliteUri = try Self.container(body, .tfliteModel, FileKeys.self)?
            .decodeIfPresent(String.self, forKey: .gcsTfliteUri)
        contractCheck = try Self.container(body, .hearth, HearthKeys.self)?
            .decodeIfPresent(String.self, forKey: .contractCheck)
        modelHash = try? body.decodeIfPresent(String.self, forKey: .modelHash)
    }

    private static func container<Key: CodingKey>(
        _ body: KeyedDecodingContainer<Keys>, _ key: Keys, _ type: Key.Type
    ) throws -> KeyedDecodingContainer<Key>? {
        guard body.contains(key), try !body.decodeNil(forKey: key) else { return nil }
        return try body.nestedContainer(keyedBy: type, forKey: key)
    }
}
