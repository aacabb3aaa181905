/// A parameter as a property: each access reads the active value.
///
/// ```swift
/// @RemoteConfigProperty(key: "greeting", fallback: "Hello") var greeting: String
/// ```
///
/// In the original this is a property of SwiftUI, which draws a view again when another value becomes active. In Hearth
/// it works in any type and announces nothing: an access after an activation reads the new value. Configure the default
/// app before the first access.
@propertyWrapper
public struct RemoteConfigProperty<T: Decodable> {
    /// The parameter's key.
    public let key: String
    private let fallback: T

    /// Makes a property.
    ///
    /// - Parameters:
    ///   - key: The parameter's key.
    ///   - fallback: The value when there is neither an active value nor a default, or when the value does not fit the
    ///     type.
    public init(key: String, fallback: T) {
        self.key = key
        self.fallback = fallback
    }

    /// The activated value, otherwise the default, otherwise the fallback. If a running experiment varies the
    /// parameter, reading it is the exposure, as with ``RemoteConfig/configValue(forKey:)``. Use it from any thread.
    public var wrappedValue: T {
        let value = RemoteConfig.remoteConfig().configValue(forKey: key)
        guard value.source != .static else { return fallback }
        return (try? value.decoded(asType: T.self)) ?? fallback
    }
}

extension RemoteConfigProperty: Sendable where T: Sendable {}
