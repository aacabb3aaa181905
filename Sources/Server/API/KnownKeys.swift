import HearthCatalog
import HearthWire

/// A body that has no keys but those of its type, nor has any object in it.
struct KnownKeys<Body: KeyedBody>: Decodable {
    let body: Body

    /// - Throws: `APIError` that names the first key that is none; else as the body itself.
    init(from decoder: any Decoder) throws {
        try KeyCheck.check(Body.self, decoder)
        body = try Body(from: decoder)
    }
}

private enum KeyCheck {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What is neither an object nor a list is left to the decoding, which says what it should be.
    static func check(_ type: any KeyedBody.Type, _ decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            let unknown = object.allKeys.filter { !type.keys.contains($0.stringValue) }
            if let key = unknown.min(by: { $0.stringValue < $1.stringValue }) {
                throw refusal(of: key.stringValue, in: decoder.codingPath, keys: type.keys)
            }
            for (name, part) in type.parts {
                let key = Key(stringValue: name)
                if object.contains(key) { try check(part, object.superDecoder(forKey: key)) }
            }
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { try check(type, list.superDecoder()) }
        }
    }

    private static func refusal(of key: String, in path: [any CodingKey], keys: [String]) -> APIError {
        let word = CallerText.word(key)
        let meant = nearest(to: key, among: keys).map { "; did you mean '\($0)'?" } ?? "."
        let text = "There is no '\(word)' here\(meant) The keys are \(keys.joined(separator: ", "))."
        return .invalid(RequestJSON.path(path + [Key(stringValue: word)]), text, message: text)
    }

    /// The key that begins like the word for at least half of the shorter of them, in letters of either case.
    private static func nearest(to word: String, among keys: [String]) -> String? {
        let word = word.lowercased()
        let near = keys.map { key in
            (key: key, shared: zip(word, key.lowercased()).prefix { $0 == $1 }.count)
        }.filter { $0.shared > 2 && $0.shared * 2 >= min(word.count, $0.key.count) }
        return near.max { $0.shared < $1.shared }?.key
    }
}
