/// What a caller may set in a model. The server sets all other fields, and ignores them in the body, whatever their
/// values.
struct ModelRequest: Decodable {
    var displayName: String?
    var tags: [String]?
    var published: Bool?
    var gcsTfliteUri: String?
    var contractCheck: String?
    var rehearsalRequire: String?
    var rehearsalCheck: String?
    /// Changes nothing: it shows which file the caller last read.
    var modelHash: String?

    private enum Keys: String, CodingKey { case displayName, tags, state, tfliteModel, hearth, modelHash }
    private enum StateKeys: String, CodingKey { case published }
    private enum FileKeys: String, CodingKey { case gcsTfliteUri }
    private enum HearthKeys: String, CodingKey { case contractCheck, rehearsalRequire, rehearsalCheck }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: Keys.self)
        displayName = try body.decodeIfPresent(String.self, forKey: .displayName)
        tags = try body.decodeIfPresent([String].self, forKey: .tags)
        published = try Self.container(body, .state, StateKeys.self)?.decodeIfPresent(Bool.self, forKey: .published)
        gcsTfliteUri = try Self.container(body, .tfliteModel, FileKeys.self)?
            .decodeIfPresent(String.self, forKey: .gcsTfliteUri)
        let hearth = try Self.container(body, .hearth, HearthKeys.self)
        contractCheck = try hearth?.decodeIfPresent(String.self, forKey: .contractCheck)
        rehearsalRequire = try hearth?.decodeIfPresent(String.self, forKey: .rehearsalRequire)
        rehearsalCheck = try hearth?.decodeIfPresent(String.self, forKey: .rehearsalCheck)
        modelHash = try? body.decodeIfPresent(String.self, forKey: .modelHash)
    }

    private static func container<Key: CodingKey>(
        _ body: KeyedDecodingContainer<Keys>, _ key: Keys, _ type: Key.Type
    ) throws -> KeyedDecodingContainer<Key>? {
        guard body.contains(key), try !body.decodeNil(forKey: key) else { return nil }
        return try body.nestedContainer(keyedBy: type, forKey: key)
    }
}
