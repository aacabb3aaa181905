/// What an app's `GoogleService-Info.plist` says of events.
package struct AnalyticsFlags: Hashable, Sendable {
    package static let deactivatedKey = "FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED"
    package static let enabledKey = "FIREBASE_ANALYTICS_COLLECTION_ENABLED"
    private static let measurementKey = "IS_MEASUREMENT_ENABLED"

    /// None are collected, whatever else says so.
    package private(set) var isDeactivated = false
    /// Whether they are collected at first; nil when it says nothing.
    package private(set) var isEnabled: Bool?

    init() {}

    /// - Parameter flag: By the plist's key names; nil when it says nothing.
    init(_ flag: (String) -> Bool?) {
        isDeactivated = flag(Self.deactivatedKey) ?? false
        // A plist that allows measurements, as most do, has not decided against the app's own flag.
        isEnabled = flag(Self.enabledKey) ?? (flag(Self.measurementKey) == false ? false : nil)
    }
}
