public import Foundation

/// One parameter's value: a text, and what it reads as. Use it from any thread.
public final class RemoteConfigValue: NSObject, NSCopying, Sendable, OptionalRemoteConfigText {
    public let dataValue: Data
    public let source: RemoteConfigSource

    init(_ data: Data, source: RemoteConfigSource) {
        dataValue = data
        self.source = source
    }

    /// Empty where the value is no UTF-8.
    public var stringValue: String { String(data: dataValue, encoding: .utf8) ?? "" }

    /// The number that the text begins with, else 0.
    public var numberValue: NSNumber { NSNumber(value: ConfigText.number(stringValue)) }

    /// True for texts that begin with Y, y, T, t or, after a sign and zeros, a digit from 1 to 9.
    public var boolValue: Bool { ConfigText.isTrue(stringValue) }

    /// The dictionary or array that the text is as JSON; nil when it is none.
    public var jsonValue: Any? { try? JSONSerialization.jsonObject(with: dataValue) }

    public override var debugDescription: String {
        "Boolean: \(boolValue), String: \(stringValue), Number: \(numberValue), Source: \(source.rawValue)"
    }

    /// The same object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// For apps written when ``RemoteConfigValue/stringValue`` was an optional: `if let` and `??` still compile.
public protocol OptionalRemoteConfigText {
    var dataValue: Data { get }
}

extension OptionalRemoteConfigText {
    public var stringValue: String? { String(data: dataValue, encoding: .utf8) ?? "" }
}
