import HearthCatalog

/// A device that conditions are asked about at one moment. What several conditions want to know is worked out once.
public struct ConditionSubject {
    public let device: DeviceFacts
    /// Since 1970.
    public let nowMicroseconds: Int64
    private let limitSteps: Int

    /// What may still be done for the device.
    private var stepsLeft: Int
    /// Whether a term had no steps left: those that came then are false, whatever they say.
    public private(set) var isExhausted = false

    private var tags: Set<String>?
    private var versions: [(signal: ConditionSignal, version: DottedVersion?)] = []
    private var buckets: [(seed: String, bucket: Int64)] = []

    /// Templates name few signals and seeds; looking through more would cost as much as it saves.
    private static let memory = 8

    public init(
        _ device: DeviceFacts, nowMicroseconds: Int64, limitSteps: Int = ConditionLimits.fetchSteps
    ) {
        self.device = device
        self.nowMicroseconds = nowMicroseconds
        self.limitSteps = limitSteps
        stepsLeft = limitSteps
    }

    /// What was done up to now: never more than the limit.
    public var steps: Int { limitSteps - stepsLeft }

    /// Takes that many steps. False, and none are taken from then on, where there are not as many.
    public mutating func spend(_ steps: Int) -> Bool {
        guard !isExhausted, steps <= stepsLeft else {
            isExhausted = true
            return false
        }
        stepsLeft -= steps
        return true
    }

    /// Nil where nothing of the kind can be known.
    mutating func set(_ signal: ConditionSignal) -> Set<String>? {
        guard signal == .tags else { return nil }
        if let tags { return tags }
        let found = Set(device.tags)
        tags = found
        return found
    }

    /// Nil where the device does not tell the signal, or what it tells is no version.
    mutating func version(_ signal: ConditionSignal) -> DottedVersion? {
        if let known = versions.first(where: { $0.signal == signal }) { return known.version }
        let version = device.text(signal).flatMap { DottedVersion(String($0.trimmed)) }
        if versions.count < Self.memory { versions.append((signal, version)) }
        return version
    }

    /// Where the installation stands in the order that the seed draws: see `PercentRange`.
    mutating func bucket(_ seed: String) -> Int64 {
        if let known = buckets.first(where: { $0.seed == seed }) { return known.bucket }
        let bucket = PercentRange.bucket(of: device.installationID, seed: seed)
        if buckets.count < Self.memory { buckets.append((seed, bucket)) }
        return bucket
    }
}
