/// What the operating system tells about connection and power.
public struct SystemConditions: DeviceConditions {
    public init() {}

    public var isConnectionMetered: Bool? { nil }
    public var isOnExternalPower: Bool? { nil }
}
