import HearthWire

/// JSON bodies of calls. What is wrong with one is said by field.
enum RequestJSON {
    /// A body of one of Hearth's own calls, which has known keys and no others: a mistyped one would leave its field at
    /// the default, and that of a release is every device.
    ///
    /// - Parameters:
    ///   - what: what the body should have been, with its article, for the refusal.
    ///   - isOptional: whether no body at all is the same as `{}`.
    static func decode<Body: KeyedBody>(
        _ type: Body.Type, _ bytes: [UInt8], what: String, isOptional: Bool = false
    ) throws(APIError) -> Body {
        let bytes = isOptional && bytes.isEmpty ? Array("{}".utf8) : bytes
        return try decodeLenient(KnownKeys<Body>.self, bytes, what: what).body
    }

    /// A body of which unknown keys are ignored, as clients of Google's calls expect.
    static func decodeLenient<Body: Decodable>(
        _ type: Body.Type, _ bytes: [UInt8], what: String
    ) throws(APIError) -> Body {
        let message = "The body is not \(what) in JSON."
        do {
            return try WireJSON.decodeRequest(type, from: bytes)
        } catch let error as APIError {
            throw error
        } catch let error as DecodingError {
            guard let (path, text) = violation(error), !path.isEmpty else { throw APIError(.invalidArgument, message) }
            throw .invalid(path, text, message: message)
        } catch {
            throw APIError(.invalidArgument, message)
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
