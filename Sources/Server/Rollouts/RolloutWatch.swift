package import HearthCatalog

/// What is known about the devices of a rollout, and what its guards say. A value without I/O; its owner serializes
/// access and stores it.
///
/// A device is named by a hash of its installation id. When the share grows, a device moves from the version below to
/// the version. If it had failed before, it stays out: the version is not to blame.
package struct RolloutWatch: Sendable {
    /// The most devices with the version, and the most on the version below, that are watched. Of the latter, a sample
    /// by hash is kept.
    package static let deviceLimit = [32_768, 16_384]
    /// The least seconds between two calls of a device that count as a return. In as many seconds, the reports of a
    /// device are one trial of each guard at most, so that no device counts for many.
    package static let returnSeconds: Int64 = 600
    /// The length of a period of `RateTest`.
    package static let periodSeconds: Int64 = 600
    /// How often a device must return without its version to have failed. Once is not enough: a download may break.
    package static let returnsWithout = 2

    /// Counts of one report of a device.
    package struct Report: Sendable, Hashable {
        package var loadFailed = false
        package var crashed = false
        package var runFailed = false
        /// Whether the version was loaded. A report about neither loads nor runs says nothing.
        package var hasLoaded = true
        package var hasRun = true
        /// The mean natural logarithm of the times of runs, in microseconds; nil without any.
        package var logRunTime: Double?

        package init(
            loadFailed: Bool = false, crashed: Bool = false, runFailed: Bool = false, hasLoaded: Bool = true,
            hasRun: Bool = true, logRunTime: Double? = nil
        ) {
            self.loadFailed = loadFailed
            self.crashed = crashed
            self.runFailed = runFailed
            self.hasLoaded = hasLoaded
            self.hasRun = hasRun
            self.logRunTime = logRunTime
        }

        /// A bit per guard that it says something about, in the order of `Guard.rates`.
        fileprivate var guards: UInt8 { (hasLoaded ? 2 | 4 : 0) | (hasRun ? 4 | 8 : 0) | failures }

        /// A bit per guard, in the order of `Guard.rates`.
        fileprivate var failures: UInt8 { (loadFailed ? 2 : 0) | (crashed ? 4 : 0) | (runFailed ? 8 : 0) }
    }

    /// What is kept about a device.
    struct Device: Sendable, Hashable {
        var arm: Arm
        /// Since when it is watched with its version, in seconds since 1970; 0 before it has named or reported it.
        var since: Int64 = 0
        var lastCall: Int64
        /// The first report of the present `returnSeconds`, and the guards that it was a trial of since then, a bit each.
        var reportsSince: Int64 = 0
        var reported: UInt8 = 0
        var hasCalled = false
        var hasReported = false
        /// Whether it was offered its version.
        var isOffered = false
        /// How often in a row it returned without its version.
        var without: UInt8 = 0
        /// A bit per guard, in the order of `Guard.rates`.
        var failed: UInt8 = 0
        /// Which guards count the device in its arm, a bit each; the highest is that of the time.
        var counted: UInt8 = 0
    }

    package private(set) var rates: [RateTest]
    package private(set) var time: TimeTest
    private(set) var devices: [UInt64: Device] = [:]
    private var counts = [0, 0]
    /// Devices on the version below with a higher hash are not watched.
    private(set) var highestBelow = UInt64.max
    private(set) var outside = OutsideDevices()
    private(set) var periodStart: Int64 = 0
    /// The version's devices that returned without it fewer times than count as a failure.
    private var pending = 0

    package init(limit: (Guard) -> GuardLimit = GuardLimit.standard) {
        rates = Guard.rates.map { RateTest(limit($0)) }
        time = TimeTest(limit(.runTime))
    }

    /// A stored watch.
    init(_ tests: Tests, _ devices: [UInt64: Device], _ outside: OutsideDevices) {
        rates = tests.rates
        time = tests.time
        highestBelow = tests.highestBelow
        periodStart = tests.periodStart
        self.devices = devices
        self.outside = outside
        counts = Arm.allCases.map { arm in devices.values.count { $0.arm == arm } }
        pending = devices.values.count { $0.arm == .version && $0.without > 0 && $0.failed & 1 == 0 }
    }

    /// A device called, and the draw gave it that version.
    ///
    /// - Parameter namesOwn: whether it named the version that it gets.
    package mutating func called(_ id: UInt64, _ arm: Arm, namesOwn: Bool, atSeconds now: Int64) {
        advance(to: now)
        guard var device = device(id, arm) else { return outside.called(id) }
        defer { devices[id] = device }
        // A call in the future was made before somebody set the clock back.
        guard !device.hasCalled || now - device.lastCall >= Self.returnSeconds || now < device.lastCall else { return }
        let isFirst = !device.hasCalled
        device.hasCalled = true
        device.lastCall = now
        guard device.failed & 1 == 0 else { return }
        if namesOwn {
            if device.without > 0, arm == .version { pending -= 1 }
            device.without = 0
            if device.since == 0 { device.since = now }
            return trial(0, &device, isFirst: isFirst, failed: false)
        }
        // The first call without it is the offer.
        guard device.isOffered else {
            device.isOffered = true
            return
        }
        if device.without == 0, arm == .version { pending += 1 }
        device.without += 1
        guard device.without >= Self.returnsWithout else { return }
        if arm == .version { pending -= 1 }
        trial(0, &device, isFirst: isFirst, failed: true)
    }

    /// A device reported about the version that the draw gives it.
    package mutating func reported(_ id: UInt64, _ arm: Arm, _ report: Report, atSeconds now: Int64) {
        advance(to: now)
        guard report.guards != 0 else { return }
        guard var device = device(id, arm) else { return outside.reported(id, report.failures) }
        if device.since == 0 { device.since = now }
        if now - device.reportsSince >= Self.returnSeconds || now < device.reportsSince {
            device.reportsSince = now
            device.reported = 0
        }
        // A failure counts at any time, since a device fails once.
        let trials = (report.guards & ~device.reported | report.failures) & ~device.failed
        for index in 1..<Guard.rates.count where trials & (1 << index) != 0 {
            trial(index, &device, isFirst: !device.hasReported, failed: report.failures & (1 << index) != 0)
        }
        device.reported |= report.guards
        device.hasReported = true
        if let value = report.logRunTime, device.counted & 0x80 == 0 {
            device.counted |= 0x80
            time.add(arm, logMicroseconds: value)
        }
        devices[id] = device
    }

    private mutating func trial(_ index: Int, _ device: inout Device, isFirst: Bool, failed: Bool) {
        let bit = UInt8(1) << UInt8(index)
        rates[index].add(device.arm, isFirst: isFirst, isNew: device.counted & bit == 0, failed: failed)
        device.counted |= bit
        if failed { device.failed |= bit }
    }

    /// The device, in the arm that it is in now; nil if it is not watched.
    private mutating func device(_ id: UInt64, _ arm: Arm) -> Device? {
        if var known = devices[id] {
            guard known.arm != arm else { return known }
            // Back to the version below, or forward to the version: it begins again, but what failed stays failed.
            if known.arm == .version, known.without > 0, known.failed & 1 == 0 { pending -= 1 }
            counts[known.arm.rawValue] -= 1
            counts[arm.rawValue] += 1
            known.arm = arm
            known.since = 0
            known.without = 0
            known.isOffered = false
            known.counted = 0
            return known
        }
        if arm == .below, id > highestBelow { return nil }
        if counts[arm.rawValue] >= Self.deviceLimit[arm.rawValue] {
            guard arm == .below else { return nil }
            thin()
            if id > highestBelow { return nil }
        }
        counts[arm.rawValue] += 1
        // Its calls so far were those of a device that is not watched, so this one counts, however soon it comes.
        var device = Device(arm: arm, lastCall: 0)
        device.failed = outside.failed(id)
        device.hasCalled = outside.hasCalled(id)
        device.hasReported = outside.hasReported(id)
        return device
    }

    /// Keeps half of the devices on the version below. What they have shown stays counted.
    private mutating func thin() {
        highestBelow /= 2
        for (id, device) in devices where device.arm == .below && id > highestBelow {
            outside.add(id, device)
            devices[id] = nil
        }
        counts[1] = devices.values.count { $0.arm == .below }
    }

    private mutating func advance(to now: Int64) {
        guard now - periodStart >= Self.periodSeconds || now < periodStart else { return }
        periodStart = now - now % Self.periodSeconds
        for index in rates.indices { rates[index].closePeriod() }
    }

    /// Whether the draw gave the device that version at its last call. True for devices on the version below that are
    /// outside of the sample, about which nothing is known.
    package func has(_ id: UInt64, in arm: Arm) -> Bool {
        if let device = devices[id] { return device.arm == arm }
        return arm == .below && id > highestBelow
    }

    /// Watches a device no more, because it was deleted or gets its version for another reason than the draw. What it has
    /// shown stays counted, and its failures are remembered, so that nobody counts them again by coming back.
    package mutating func forget(_ id: UInt64) {
        guard let device = devices.removeValue(forKey: id) else { return }
        outside.add(id, device)
        counts[device.arm.rawValue] -= 1
        if device.arm == .version, device.without > 0, device.failed & 1 == 0 { pending -= 1 }
    }

    /// How many devices of the arm are watched now.
    package func watched(_ arm: Arm) -> Int { counts[arm.rawValue] }

    /// Closes the period that has passed, if any. Without it, the next observation does.
    package mutating func tick(atSeconds now: Int64) { advance(to: now) }

    /// The version's devices that have had it for so long, or have failed.
    private func watched(forSeconds hold: Int64, atSeconds now: Int64) -> Int {
        devices.values.count { $0.arm == .version && ($0.failed != 0 || $0.since > 0 && now - $0.since >= hold) }
    }

    /// The share of the devices on the version below that have reported, 0 to 1.
    package var reportingShare: Double {
        guard counts[1] > 0 else { return 0 }
        return Double(devices.values.count { $0.arm == .below && $0.hasReported }) / Double(counts[1])
    }

    /// - Parameters:
    ///   - guards: those that are on.
    ///   - hold: how long a device must have had the version to count as sound, in seconds.
    package func findings(of guards: [Guard], holdSeconds hold: Int64, atSeconds now: Int64) -> [GuardFinding] {
        let held = watched(forSeconds: hold, atSeconds: now)
        let reporting = reportingShare * Double(counts[0])
        return guards.map { each in
            guard let index = Guard.rates.firstIndex(of: each) else {
                return GuardFinding(
                    guarded: each, verdict: time.verdict, counted: time.devices[0], expected: reporting,
                    devices: time.devices, ratio: time.ratio, ratioInterval: time.ratioInterval)
            }
            let test = rates[index]
            let counted = min(held, test.devices[0])
            let waiting = index == 0 ? pending : 0
            return GuardFinding(
                guarded: each, verdict: test.verdict(counted: counted, pending: waiting),
                counted: counted, expected: index == 0 ? Double(counts[0]) : reporting,
                isPending: test.wouldExceed(pending: waiting), devices: test.devices,
                failed: test.failed, pending: waiting)
        }
    }
}
