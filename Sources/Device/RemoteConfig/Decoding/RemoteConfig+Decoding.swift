public import Foundation

extension RemoteConfig {
    /// A structure with a field for each key that it wants: what was activated, else the default. Other keys are ignored.
    ///
    /// - Throws: `DecodingError` when a field has no value and is no optional, or does not fit its value.
    public func decoded<Value: Decodable>(asType: Value.Type = Value.self) throws -> Value {
        try Value(from: ConfigDecoder(values: core.allValues, onUse: core.noteUse))
    }

    /// Nil where the value does not fit the type. A key that is not known is an empty text.
    public subscript<T: Decodable>(decodedValue key: String) -> T? {
        try? configValue(forKey: key).decoded(asType: T.self)
    }

    /// The dictionary that the value is as JSON, with values as in ``RemoteConfigValue/jsonValue``; nil when it is none.
    public subscript(jsonValue key: String) -> [String: AnyHashable]? {
        HashableJSON.container(configValue(forKey: key).dataValue) as? [String: AnyHashable]
    }
}

extension RemoteConfigValue {
    /// The value as a number, truth value, text, bytes or, by way of JSON, as any other type. An optional is nil for the empty
    /// value and for the text `null`.
    ///
    /// - Throws: ``RemoteConfigValueCodableError`` for dates, `DecodingError` for what does not fit.
    public func decoded<Value: Decodable>(asType: Value.Type = Value.self) throws -> Value {
        try ValueDecoder(value: self, codingPath: []).decode(Value.self)
    }
}

/// Why a value cannot be decoded.
public enum RemoteConfigValueCodableError: LocalizedError, Sendable, Equatable {
    /// A type that is never decoded; the text says which.
    case unsupportedType(String)

    /// One line: what is wrong.
    public var errorDescription: String? {
        switch self {
        case .unsupportedType(let text): text
        }
    }
}
