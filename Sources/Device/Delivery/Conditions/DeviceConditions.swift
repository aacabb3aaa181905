/// Knows what a download costs now. Asked before each attempt, on the fetching thread.
public protocol DeviceConditions: Sendable {
    /// Whether the connection is a metered or cellular one; nil when that cannot be told, which counts as no.
    var isConnectionMetered: Bool? { get }
    /// Whether the device runs on mains; nil when that cannot be told, which counts as yes.
    var isOnExternalPower: Bool? { get }
}
