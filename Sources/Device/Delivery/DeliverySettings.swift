import HearthConcurrency

/// How an app's models are downloaded and stored. Hearth's addition; the defaults suit most apps.
public struct DeliverySettings: Sendable {
    /// How many seconds a download may take, including the backoff between attempts. 600 by default.
    public var deadlineSeconds: Double = 600
    /// How often in a row a step of the download may fail before the download fails. The count begins again when bytes
    /// arrive. 5 by default.
    public var attemptLimit = 5
    /// How many seconds a transfer may receive no byte before it fails; the next attempt resumes it. 30 by default.
    public var stallSeconds: Double = 30
    /// The most bytes per second that a download receives; nil, the default, for no limit.
    public var maxBytesPerSecond: UInt64?
    /// The most bytes that a model may have; a larger one is refused before its first byte. 2 GiB by default.
    public var maxModelBytes: UInt64 = 2 << 30
    /// The most bytes that this app's store may have, including the model to be downloaded; nil, the default, for no
    /// limit.
    public var storeQuotaBytes: UInt64?
    /// How many bytes must stay free on the disk after a download. 32 MiB by default.
    public var reservedFreeBytes: UInt64 = 32 << 20
    /// Reports whether the device's connection is metered and whether it runs on its battery. ``SystemConditions`` by
    /// default.
    public var deviceConditions: any DeviceConditions = SystemConditions()
    /// Checks a verified file before it replaces the installed one; an error rejects the file. Called on the
    /// downloading thread.
    ///
    /// With or without it, a model that does not load in a labeler, detector or `ModelInterpreter` is rejected too.
    public var loadCheck: (@Sendable (_ path: String) throws -> Void)?

    /// Makes the default settings.
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
