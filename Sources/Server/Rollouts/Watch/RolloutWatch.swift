package import HearthCatalog

/// What is known about the devices of a rollout, and what its guards say. A value without I/O; its owner serializes
/// access and stores it.
///
/// Nothing that the version changes may decide who is counted, in which arm, or where. So a device takes part if its first
/// call since the watch began named exactly the version that it would get without the release, from its first call on in
/// which it waits for no conditions. The draw alone decides about its arm, and its arm about where its reports count,
/// whichever version they are about. Decision 0053 has the reasons.
///
/// A device is named by a hash of its installation id. When the share grows, devices move from the baseline to the
/// version's arm. If one had failed before, it stays out: the version is not to blame.
package struct RolloutWatch: Sendable {
    /// The most devices of each arm that are watched. Of more, a sample by hash is kept.
    package static let deviceLimit = 32_768
    /// The least seconds between two calls of a device that count as a return. In as many seconds, the reports of a
    /// device are one trial of each guard at most, so that no device counts for many.
    package static let returnSeconds: Int64 = 600
    /// The length of a period of `RateTest`.
    package static let periodSeconds: Int64 = 600
    /// How often a device must return without its version to have failed. Once is not enough: a download may break.
    package static let returnsWithout = 2
    /// How long a device is fresh at least after it could take the version.
    static let leastFreshSeconds: Int64 = 86_400

    package let sinceSeconds: Int64
    package private(set) var places: DrawPlaces
    package private(set) var rates: [RateTest]
    package private(set) var time: TimeTest
    package private(set) var counts = Counts()
    private(set) var devices: [UInt64: WatchedDevice] = [:]
    private(set) var seen = SeenDevices()
    /// By arm; devices with a higher hash are not watched.
    private(set) var highest = [UInt64.max, UInt64.max]
    private(set) var periodStart: Int64 = 0
    private var freshSeconds = RolloutWatch.leastFreshSeconds
    /// Devices that are watched, by arm, with those that wait for conditions.
    private var watched = [0, 0]
    /// Devices that take part, by arm and by the number of the share at which they entered.
    private var present: [[UInt8: Int]] = [[:], [:]]
    private var fresh: [[UInt8: Int]] = [[:], [:]]
    /// The version's devices that returned without it fewer times than count as a failure.
    private(set) var pending = 0

    /// What became of the devices that called.
    package struct Counts: Sendable, Hashable, Codable {
        /// Their first call named none, or another version than they would get without the release; or it said that they
        /// rejected the release's version before.
        package var namedOther = 0
        /// They are not in the sample.
        package var outsideSample = 0
        /// They left the watch: they were pinned or deleted, entered an experiment or a newer release, left the audience, or
        /// the share was lowered.
        package var left = 0

        var isWhole: Bool { [namedOther, outsideSample, left].areCounts }
    }

    /// - Parameters:
    ///   - share: the present one, in millionths.
    ///   - offered: the largest share before the watch began; 0 for a new release.
    package init(
        sinceSeconds: Int64, share: Int, offered: Int = 0, limit: (Guard) -> GuardLimit = GuardLimit.standard
    ) {
        self.sinceSeconds = sinceSeconds
        places = DrawPlaces(share: share, offered: offered)
        // Devices return without a version days after they took it.
        rates = Guard.rates.map { RateTest(limit($0), showsSoon: $0 != .returnedWithout) }
        time = TimeTest(limit(.runTime))
    }

    /// A stored watch.
    init(_ tests: Tests, _ devices: [UInt64: WatchedDevice], _ seen: SeenDevices) {
        sinceSeconds = tests.sinceSeconds
        places = tests.places
        rates = tests.rates
        time = tests.time
        counts = tests.counts
        highest = tests.highest
        periodStart = tests.periodStart
        freshSeconds = tests.freshSeconds
        self.devices = devices
        self.seen = seen
        count()
    }

    var tests: Tests {
        Tests(
            sinceSeconds: sinceSeconds, places: places, rates: rates, time: time, counts: counts, highest: highest,
            periodStart: periodStart, freshSeconds: freshSeconds)
    }

    // MARK: - What happens

    /// The share that the release has now, and how long a device must have had the version to count as sound.
    ///
    /// - Parameter share: in millionths.
    package mutating func setShare(_ share: Int, holdSeconds hold: Int64, atSeconds now: Int64) {
        freshSeconds = max(freshSeconds, 2 * hold)
        guard share != places.share else { return }
        close(at: now)
        time.closeHour(&devices)
        cutWindows(holdSeconds: hold, atSeconds: now)
        let isLower = share < places.share
        places.set(share)
        if isLower {
            for (id, device) in devices where places.arm(of: device.place) == nil {
                devices[id] = nil
                counts.left += 1
            }
        }
        count()
        thinIfNeeded()
    }

    /// No device is fresh after a change of the share. One that had the version only for a moment by then does not show
    /// whether harm shows soon.
    private mutating func cutWindows(holdSeconds hold: Int64, atSeconds now: Int64) {
        let least = max(hold, freshSeconds / 4)
        for (id, device) in devices
        where device.marks.contains(.isPrompt) && isFresh(device, .version, now) && now - device.since < least {
            devices[id]?.marks.remove(.isPrompt)
        }
    }

    /// - Parameter observation: at a time that is not before that of the observations so far; one that is late is used as
    ///   far as it can be.
    package mutating func observe(_ observation: RolloutObservation) {
        let (id, now) = (observation.device, observation.seconds)
        advance(to: now)
        switch observation.event {
        case .called(let call): called(id, call, now)
        case .reported(let isOfVersion, let report): reported(id, isOfVersion, report, now)
        case .left: leave(id)
        case .outside: if devices[id] != nil { leave(id) }
        }
    }

    /// When the period began that is not over.
    package var lastSeconds: Int64 { periodStart > 0 ? periodStart : sinceSeconds }

    /// Closes the period that has passed, if any. Without it, the next observation does.
    package mutating func tick(atSeconds now: Int64) { advance(to: now) }

    private mutating func leave(_ id: UInt64) {
        if remove(id) { counts.left += 1 }
        seen.insert(id)
    }

    // MARK: - Calls

    private mutating func called(_ id: UInt64, _ call: RolloutObservation.Call, _ now: Int64) {
        guard var device = devices[id] else { return decide(id, call, now) }
        // What decided about the device was not its first call.
        guard now >= device.firstCall else { return leave(id) }
        if device.entered == nil {
            // What it rejected before it could take it, it rejected in another rollout.
            guard call.obstacle != .rejected else { return leave(id) }
            guard !call.isWaiting else { return }
            enter(&device)
        }
        follow(id, &device, call, now)
        devices[id] = device
    }

    /// The first call of a device decides whether it may take part.
    private mutating func decide(_ id: UInt64, _ call: RolloutObservation.Call, _ now: Int64) {
        guard !seen.contains(id) else { return }
        guard let arm = places.arm(of: call.place) else { return }
        guard call.named == .baseline, call.obstacle != .rejected else {
            counts.namedOther += 1
            return seen.insert(id)
        }
        guard id <= highest[arm.rawValue] else {
            counts.outsideSample += 1
            return seen.insert(id)
        }
        var device = WatchedDevice(place: call.place, atSeconds: now)
        device.tag = call.tag
        watched[arm.rawValue] += 1
        if !call.isWaiting {
            enter(&device)
            follow(id, &device, call, now)
        }
        devices[id] = device
        thinIfNeeded()
    }

    private mutating func enter(_ device: inout WatchedDevice) {
        device.entered = places.stage
        guard let arm = places.arm(of: device.place) else { return }
        present[arm.rawValue][places.stage, default: 0] += 1
    }

    /// A call of a device that takes part.
    private mutating func follow(
        _ id: UInt64, _ device: inout WatchedDevice, _ call: RolloutObservation.Call, _ now: Int64
    ) {
        guard let entered = device.entered, let arm = places.arm(of: device.place) else { return }
        // A call in the future was made before somebody set the clock back.
        let isReturn = device.lastCall == 0 || now - device.lastCall >= Self.returnSeconds || now < device.lastCall
        if !call.isWaiting, device.readySince == 0 || device.readyStage != places.stage {
            device.readyStage = places.stage
            device.readySince = now
            device.tried = 0
            if arm == .baseline || places.isNew(device.place, enteredAt: entered) {
                fresh[arm.rawValue][entered, default: 0] += 1
            }
        }
        if arm == .version, call.named == .version { take(&device, now) }
        switch call.obstacle {
        case .rejected: if arm == .version { device.marks.insert(.hasRejected) }
        case .storage: device.marks.insert(.lacksStorage)
        case nil: device.marks.remove(.lacksStorage)
        }
        defer { if isOwn(call, arm) { device.tag = call.tag } }
        let isFirst = device.lastCall == 0
        guard isReturn else { return }
        device.lastCall = now
        if !device.hasVersion, arm == .version, !isFirst, !call.isWaiting {
            device.untaken = min(device.untaken + 1, 15)
        }
        guard device.failed & 1 == 0 else { return }
        let wasPending = arm == .version && device.without > 0
        if call.obstacle == .rejected, arm == .version {
            if wasPending { pending -= 1 }
            device.without = 0
            return trial(0, &device, arm, isOfVersion: true, failed: true, now)
        }
        guard let isWithout = isWithout(call, device, arm) else { return }
        guard isWithout else {
            if wasPending { pending -= 1 }
            device.without = 0
            return trial(0, &device, arm, isOfVersion: arm == .version && device.hasVersion, failed: false, now)
        }
        if arm == .version, !wasPending { pending += 1 }
        device.without += 1
        guard device.without >= Self.returnsWithout else { return }
        if arm == .version { pending -= 1 }
        device.without = 0
        trial(0, &device, arm, isOfVersion: arm == .version && device.hasVersion, failed: true, now)
    }

    private func isOwn(_ call: RolloutObservation.Call, _ arm: Arm) -> Bool {
        call.named == (arm == .version ? .version : .baseline) || call.named == .baseline
    }

    /// Whether the device came back with another version than the one it had; nil if the call does not say.
    private func isWithout(_ call: RolloutObservation.Call, _ device: WatchedDevice, _ arm: Arm) -> Bool? {
        switch (call.named, arm) {
        case (.nothing, _): nil
        case (.version, .version): false
        // It got the version a moment before the watch heard of the larger share.
        case (.version, .baseline): nil
        case (.baseline, .baseline): false
        case (.baseline, .version): device.hasVersion
        // The server changed what the device is to have.
        case (.other, _): call.tag == device.tag ? nil : true
        }
    }

    /// The device is known to have the version.
    private mutating func take(_ device: inout WatchedDevice, _ now: Int64) {
        guard device.since == 0 else { return }
        device.since = now
        device.untaken = 0
        if isFresh(device, .version, now), now - device.readySince <= freshSeconds / 2 {
            device.marks.insert(.isPrompt)
        }
    }

    // MARK: - Reports

    private mutating func reported(_ id: UInt64, _ isOfVersion: Bool, _ report: Report, _ now: Int64) {
        guard report.guards != 0, var device = devices[id], device.entered != nil,
            let arm = places.arm(of: device.place)
        else { return }
        if isOfVersion, arm == .version { take(&device, now) }
        if now - device.reportsSince >= Self.returnSeconds || now < device.reportsSince {
            device.reportsSince = now
            device.reported = 0
        }
        // A failure counts at any time, since a device fails once.
        let trials = (report.guards & ~device.reported | report.failures) & ~device.failed
        for index in 1..<Guard.rates.count where trials & (1 << index) != 0 {
            trial(
                index, &device, arm, isOfVersion: isOfVersion && arm == .version,
                failed: report.failures & (1 << index) != 0, now)
        }
        device.reported |= report.guards
        device.marks.insert(.hasReported)
        if let value = report.logRunTime { timed(id, &device, arm, isOfVersion, value) }
        devices[id] = device
    }

    /// A device gives one value for each share of the rollout: not that of its first report since it could take the version
    /// at that share, or could have taken it, nor that of its first report about the version. The first report after an
    /// installation is that of a cold start.
    private mutating func timed(
        _ id: UInt64, _ device: inout WatchedDevice, _ arm: Arm, _ isOfVersion: Bool, _ value: Double
    ) {
        guard let entered = device.entered, device.readySince > 0, device.readyStage == places.stage else { return }
        guard device.time.skippedStage == places.stage else {
            device.time.skippedStage = places.stage
            if isOfVersion { device.marks.insert(.hasVersionTime) }
            return
        }
        guard device.time.givenStage != places.stage else { return }
        if isOfVersion, arm == .version, !device.marks.contains(.hasVersionTime) {
            device.marks.insert(.hasVersionTime)
            return
        }
        device.time.givenStage = places.stage
        time.add(id, arm, enteredAt: entered, isOfVersion: isOfVersion && arm == .version, logMicroseconds: value)
    }

    // MARK: - Trials

    private mutating func trial(
        _ index: Int, _ device: inout WatchedDevice, _ arm: Arm, isOfVersion: Bool, failed: Bool, _ now: Int64
    ) {
        guard let entered = device.entered else { return }
        let bit = UInt8(1) << UInt8(index)
        let countedBit = arm == .version ? bit << 4 : bit
        let isCounted = arm == .baseline || isOfVersion
        let isNew = isCounted && device.counted & countedBit == 0
        if isCounted { device.counted |= countedBit }
        var window = RateTest.Window.all
        if isFresh(device, arm, now) {
            window = device.tried & bit == 0 ? .first : .fresh
            device.tried |= bit
        }
        let trial = RateTest.Trial(
            arm: arm, stage: entered, window: window, isOfVersion: isOfVersion, isNew: isNew)
        let ratios = failed ? ratios(entered) : nil
        rates[index].add(trial, failedAmong: ratios)
        if failed { device.failed |= bit }
    }

    private func isFresh(_ device: WatchedDevice, _ arm: Arm, _ now: Int64) -> Bool {
        guard let entered = device.entered, device.readySince > 0, device.readyStage == places.stage,
            now - device.readySince < freshSeconds
        else { return false }
        return arm == .baseline || places.isNew(device.place, enteredAt: entered)
    }

    /// By window. As many devices are fresh as have a first trial.
    private func ratios(_ stage: UInt8) -> [Double] {
        func ratio(_ counts: [[UInt8: Int]]) -> Double {
            // The device of the baseline that failed is one of them.
            Double(counts[0][stage] ?? 0) / Double(max(1, counts[1][stage] ?? 0))
        }
        return [ratio(present), ratio(fresh), ratio(fresh)]
    }

    // MARK: - Periods and samples

    private mutating func advance(to now: Int64) {
        guard now - periodStart >= Self.periodSeconds || now < periodStart - Self.periodSeconds else { return }
        close(at: now)
    }

    private mutating func close(at now: Int64) {
        for index in rates.indices { rates[index].closePeriod() }
        let isNewHour = now / 3600 != periodStart / 3600
        periodStart = now - now % Self.periodSeconds
        guard isNewHour else { return }
        time.closeHour(&devices)
        // Devices are fresh for a limited time, of which an hour is a small part.
        countFresh(at: now)
    }

    /// Counts everything that follows from the devices.
    private mutating func count() {
        watched = [0, 0]
        present = [[:], [:]]
        pending = 0
        for device in devices.values {
            guard let arm = places.arm(of: device.place) else { continue }
            watched[arm.rawValue] += 1
            if let entered = device.entered { present[arm.rawValue][entered, default: 0] += 1 }
            if arm == .version, device.without > 0, device.failed & 1 == 0 { pending += 1 }
        }
        countFresh(at: periodStart)
    }

    private mutating func countFresh(at now: Int64) {
        fresh = [[:], [:]]
        for device in devices.values {
            guard let entered = device.entered, let arm = places.arm(of: device.place), isFresh(device, arm, now)
            else { continue }
            fresh[arm.rawValue][entered, default: 0] += 1
        }
    }

    /// Keeps seven of eight devices of an arm, by hash, when there are too many. What they have shown stays counted.
    private mutating func thinIfNeeded() {
        for arm in Arm.allCases where watched[arm.rawValue] > Self.deviceLimit {
            while watched[arm.rawValue] > Self.deviceLimit {
                // Hashes have 63 bits.
                highest[arm.rawValue] = min(highest[arm.rawValue], .max / 2) / 8 * 7
                let limit = highest[arm.rawValue]
                for (id, device) in devices where id > limit && places.arm(of: device.place) == arm {
                    devices[id] = nil
                    seen.insert(id)
                    watched[arm.rawValue] -= 1
                    counts.outsideSample += 1
                }
            }
            count()
        }
    }

    private mutating func remove(_ id: UInt64) -> Bool {
        guard let device = devices.removeValue(forKey: id) else { return false }
        guard let arm = places.arm(of: device.place) else { return true }
        watched[arm.rawValue] -= 1
        if let entered = device.entered { present[arm.rawValue][entered, default: 1] -= 1 }
        if arm == .version, device.without > 0, device.failed & 1 == 0 { pending -= 1 }
        return true
    }
}
