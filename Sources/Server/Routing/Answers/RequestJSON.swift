import HearthCatalog
package import HearthWire

/// JSON bodies of calls. Refusals name the wrong field.
package enum RequestJSON {
    /// A body of one of Hearth's own calls. It may have known keys only: a mistyped key would leave its field at the
    /// default, and the default audience of a release is all devices.
    ///
    /// - Parameters:
    ///   - what: what the body should be, with its article, for the refusal.
    ///   - isOptional: whether an empty body means `{}`.
    package static func decode<Body: KeyedBody>(
        _ type: Body.Type, _ bytes: [UInt8], what: String, isOptional: Bool = false
    ) throws(APIError) -> Body {
        let bytes = isOptional && bytes.isEmpty ? Array("{}".utf8) : bytes
        return try decodeLenient(StrictBody<Body>.self, bytes, what: what).body
    }

    /// Decodes a body from a device. It is read once only, because devices send many.
    package static func decodeFromDevice<Body: KeyedBody>(
        _ type: Body.Type, _ bytes: [UInt8], what: String
    ) throws(APIError) -> Body {
        try read(StrictBody<Body>.self, bytes, what: what).body
    }

    /// A body whose unknown keys are ignored, as clients of Google's APIs expect.
    package static func decodeLenient<Body: Decodable>(
        _ type: Body.Type, _ bytes: [UInt8], what: String
    ) throws(APIError) -> Body {
        // Foundation on Linux takes a comma before a closing bracket, and may then skip what stands around it.
        if let fault = JSONFault(in: bytes) {
            throw APIError(.invalidArgument, "The body is not \(what) in JSON: \(fault).")
        }
        return try read(type, bytes, what: what)
    }

    private static func read<Body: Decodable>(
        _ type: Body.Type, _ bytes: [UInt8], what: String
    ) throws(APIError) -> Body {
        let message = "The body is not \(what) in JSON."
        do {
            return try WireJSON.decodeRequest(type, from: bytes)
        } catch let error as APIError {
            throw error
        } catch let error as DecodingError {
            guard let (path, text) = violation(error), !path.isEmpty else {
                let place = JSONFault(in: bytes).map { "The body is not \(what) in JSON: \($0)." }
                throw APIError(.invalidArgument, place ?? message, cause: error)
            }
            throw .invalid(path, text, message: message, cause: error)
        } catch {
            throw APIError(.invalidArgument, message, cause: error)
        }
    }

    private static func violation(_ error: DecodingError) -> (path: String, text: String)? {
        switch error {
        case .typeMismatch(let type, let context): (path(context.codingPath), "This must be \(name(of: type)).")
        case .valueNotFound(let type, let context): (path(context.codingPath), "This must be \(name(of: type)).")
        case .keyNotFound(let key, let context): (path(context.codingPath + [key]), "This is missing.")
        case .dataCorrupted(let context): (path(context.codingPath), "This has a value that cannot be read.")
        @unknown default: nil
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is [Any].Type: "a list"
        default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
        }
    }
}

/// A body that has only the keys of its type, as has every object in it.
struct StrictBody<Body: KeyedBody>: Decodable {
    let body: Body

    /// - Throws: `APIError` that names the first unknown key; otherwise what the body's own decoding throws.
    init(from decoder: any Decoder) throws {
        try KeyCheck.check(Body.self, decoder)
        body = try Body(from: decoder)
    }
}

/// Finds unknown keys.
private enum KeyCheck {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Values that are neither an object nor a list are left to the decoding, which knows what they should be.
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
        let word = OneLineText.word(key)
        let meant = nearest(to: key, among: keys).map { "; did you mean '\($0)'?" } ?? "."
        let text = "There is no '\(word)' here\(meant) The keys are \(keys.joined(separator: ", "))."
        return .invalid(RequestJSON.path(path + [Key(stringValue: word)]), text, message: text)
    }

    /// The key that shares with the word a beginning of at least half the shorter of the two. Case does not matter.
    private static func nearest(to word: String, among keys: [String]) -> String? {
        let word = word.lowercased()
        let near = keys.map { key in
            (key: key, shared: zip(word, key.lowercased()).prefix { $0 == $1 }.count)
        }.filter { $0.shared > 2 && $0.shared * 2 >= min(word.count, $0.key.count) }
        return near.max { $0.shared < $1.shared }?.key
    }
}
