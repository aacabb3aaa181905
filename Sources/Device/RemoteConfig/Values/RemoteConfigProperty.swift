/// A parameter as a property: reads what is active at each access.
///
/// ```swift
/// @RemoteConfigProperty(key: "greeting", fallback: "Hello") var greeting: String
/// ```
///
/// In the original this is a property of SwiftUI, which draws a view again when another value becomes active. Here it works in
/// any type, and nothing is announced: what is read after an activation is the new value. Configure the default app before
/// the first reading.
@propertyWrapper
public struct RemoteConfigProperty<T: Decodable> {
    /// The parameter's key.
    public let key: String
    private let fallback: T

    /// - Parameters:
    ///   - key: The parameter's key.
    ///   - fallback: Read where there is neither an active value nor a default, or where it does not fit the type.
    public init(key: String, fallback: T) {
        self.key = key
        self.fallback = fallback
    }

    /// What was activated, else the default, else the fallback. Where a running experiment varies the parameter, reading counts as
    /// its first use, as with ``RemoteConfig/configValue(forKey:)``. Use it from any thread.
    public var wrappedValue: T {
        let value = RemoteConfig.remoteConfig().configValue(forKey: key)
        guard value.source != .static else { return fallback }
        return (try? value.decoded(asType: T.self)) ?? fallback
    }
}

extension RemoteConfigProperty: Sendable where T: Sendable {}
