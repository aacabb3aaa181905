import Glibc
import HearthCampaignInput
import HearthCatalog
import HearthRollouts

/// One rollout over a fleet, until all devices get the version. What a guard would stop is recorded, and goes on.
struct SimulatedRollout {
    let scenario: Scenario
    var random: SplitMix
    var devices: [SimulatedDevice] = []
    /// The first device that calls in each slot; the others follow by `next`.
    var firstCalls: [Int32]
    var pending: PendingReports
    var watch: RolloutWatch
    var servers: ObservingServers
    let plan: RolloutPlan
    var share: Int
    var isPaused = false
    /// The part of the devices for which something else than the release decides.
    var elsewhere: Float = 0
    var outcome: RolloutOutcome

    // What changes over time, as of the present slot.
    var crashesNow = 1.0
    var logTimeNow = 0.0

    private let slots: Int
    private var shareSince = Slots.start
    private var nextChange = 0
    /// Observations since the last look.
    private var unseen = 0

    /// A look is due after so many observations, if not earlier.
    private static let looksAfter = 1024
    /// A harmful version is followed for so long after it would have been stopped.
    private static let daysAfterStop = 1.0

    init(_ scenario: Scenario, devices count: Int, days: Int, seed: UInt64, number: Int) {
        self.scenario = scenario
        slots = days * Slots.perDay
        random = SplitMix(seed: seed)
        plan = RolloutPlan(shares: scenario.shares, holdSeconds: scenario.holdSeconds)
        share = max(plan.shares[0], scenario.offered)
        watch = RolloutWatch(sinceSeconds: Slots.start, share: share, offered: scenario.offered)
        watch.setShare(share, holdSeconds: scenario.holdSeconds, atSeconds: Slots.start)
        servers = ObservingServers(scenario, seed: random.next())
        firstCalls = Array(repeating: -1, count: slots)
        pending = PendingReports(slots: slots)
        outcome = RolloutOutcome(scenario: scenario.name, devices: count, number: number)
        devices.reserveCapacity(count)
        for _ in 0..<count { add(SimulatedDevice(of: scenario, isNew: false, &random), from: 0) }
        let installed = Int(scenario.installedPerDay * Double(count * days))
        for _ in 0..<installed {
            let slot = Int(random.next() % UInt64(slots))
            add(SimulatedDevice(of: scenario, isNew: true, &random), from: slot)
        }
    }

    private mutating func add(_ device: SimulatedDevice, from slot: Int) {
        devices.append(device)
        let first = device.has == .none && slot > 0 ? 0 : random.uniform() * Double(device.gap)
        schedule(Int32(devices.count - 1), at: slot + Int(first))
    }

    private mutating func schedule(_ device: Int32, at slot: Int) {
        guard slot < slots else { return }
        devices[Int(device)].next = firstCalls[slot]
        firstCalls[slot] = device
    }

    mutating func run() -> RolloutOutcome {
        for slot in 0..<slots {
            let now = Slots.time(slot)
            if slot % Slots.perHour == 0 { changeCircumstances(slot) }
            applyChanges(slot, now)
            var device = firstCalls[slot]
            while device >= 0 {
                let following = devices[Int(device)].next
                call(Int(device), slot, now)
                // At least a quarter of the mean passes between two calls.
                let wait = Double(devices[Int(device)].gap) * (0.25 + 1.5 * random.uniform())
                schedule(device, at: slot + max(1, Int(wait)))
                device = following
            }
            while let report = pending.take(slot) { deliver(report, now) }
            servers.endSlot(atSeconds: now + Slots.seconds, &watch)
            if (slot + 1) % Slots.perLook == 0 || unseen >= Self.looksAfter, look(slot) { break }
        }
        return outcome
    }

    mutating func observe(_ observation: RolloutObservation) {
        // A paused release gives nobody the version, and is not watched.
        guard !isPaused else { return }
        unseen += 1
        servers.add(observation, to: &watch)
    }

    private mutating func changeCircumstances(_ slot: Int) {
        let day = Double(slot) / Double(Slots.perDay)
        let isLater = day >= scenario.laterDay
        let isNight = day - floor(day) < 0.33
        crashesNow = (isLater ? scenario.laterCrashes : 1) * (isNight ? scenario.nightCrashes : 1)
        logTimeNow = log((isLater ? scenario.laterTime : 1) * (isNight ? scenario.nightTime : 1))
    }

    private mutating func applyChanges(_ slot: Int, _ now: Int64) {
        while nextChange < scenario.changes.count,
            Int(scenario.changes[nextChange].day * Double(Slots.perDay)) <= slot
        {
            switch scenario.changes[nextChange].change {
            case .times(let factor): set(share: min(990_000, Int(Double(share) * factor)), now)
            case .pause: isPaused = true
            case .resume:
                isPaused = false
                set(share: share, now)
            case .leave(let part): elsewhere = Float(part)
            }
            nextChange += 1
        }
    }

    private mutating func set(share new: Int, _ now: Int64) {
        share = new
        shareSince = now
        watch.setShare(share, holdSeconds: plan.holdSeconds, atSeconds: now)
    }

    /// Whether the rollout is over.
    private mutating func look(_ slot: Int) -> Bool {
        unseen = 0
        guard !isPaused else { return false }
        let now = Slots.time(slot + 1)
        watch.tick(atSeconds: scenario.servers > 1 ? now - Slots.seconds : now)
        // Findings cost a pass over all devices: a small fleet has them once an hour, or when a guard may be violated.
        let mayStop = outcome.record(watch) && outcome.stoppedBy == nil
        guard mayStop || (slot + 1) % (outcome.devices < 50_000 ? Slots.perHour : Slots.perLook) == 0 else {
            return false
        }
        let survey = watch.survey(holdSeconds: plan.holdSeconds, atSeconds: now)
        let found = watch.findings(of: Guard.allCases, survey)
        outcome.record(survey, found)
        // The server turns guards on reports off where too few devices report.
        let areReporting = survey.reportingShare >= 0.2
        let on = found.filter { $0.guarded == .returnedWithout || areReporting }
        let days = Double(slot + 1) / Double(Slots.perDay)
        if scenario.harm != nil, let stopped = outcome.stoppedDays, days > stopped + Self.daysAfterStop { return true }
        var step = plan.step(share: share, findings: on, secondsAtShare: now - shareSince)
        if case .stop(let guarded) = step {
            outcome.recordStop(guarded, days)
            var undecided = on
            for index in undecided.indices where undecided[index].verdict == .violated {
                undecided[index].verdict = .undecided
            }
            step = plan.step(share: share, findings: undecided, secondsAtShare: now - shareSince)
        }
        guard case .widen(let next) = step else { return false }
        if next >= 1_000_000 {
            outcome.recordArrival(on, of: scenario.harm?.seenBy, days)
            return true
        }
        set(share: next, now)
        return false
    }
}
