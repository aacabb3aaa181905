import HearthConcurrency

/// How an app's models are fetched and kept. Hearth's addition; the defaults suit most apps.
public struct DeliverySettings: Sendable {
    /// A download is given up after so many seconds, pauses between attempts included.
    public var deadlineSeconds: Double = 600
    /// How often one step may fail, one time after the other, before the download is given up. Bytes that arrive start the
    /// count anew.
    public var attemptLimit = 5
    /// A transfer is taken for dead when no byte moved for so many seconds; the next attempt goes on where it stopped.
    public var stallSeconds: Double = 30
    /// The fastest that this app fetches files; nil for no cap.
    public var maxBytesPerSecond: UInt64?
    /// A larger model is refused before its first byte.
    public var maxModelBytes: UInt64 = 2 << 30
    /// The most that this app's store may hold, the model to be fetched included; nil for no limit.
    public var storeQuotaBytes: UInt64?
    /// What must stay free on the disk after a download.
    public var reservedFreeBytes: UInt64 = 32 << 20
    /// What is known about the device's connection and power.
    public var deviceConditions: any DeviceConditions = SystemConditions()
    /// Tries a verified file before it takes the installed one's place; throwing refuses it. Called on the fetching thread.
    /// Whatever it is, models that do not load in a labeler, detector or `ModelInterpreter` are put aside as well.
    public var loadCheck: (@Sendable (_ path: String) throws -> Void)?

    public init() {}
}

/// The settings as the app last set them. Use it from any thread.
final class SharedSettings: Sendable {
    private let settings = Lock(DeliverySettings())

    var value: DeliverySettings {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }
}
