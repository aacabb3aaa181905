import Glibc
import HearthCampaignInput
import HearthCatalog
import HearthRollouts

/// One rollout over a fleet. Every device calls once a session, at its own time.
struct SimulatedRollout {
    struct Outcome {
        var stoppedBy: Guard?
        /// Devices that had the version at the end.
        var reached = 0
        var days = 0.0
        /// Whether all devices got the version.
        var isComplete = false
    }

    private struct Device {
        let id: UInt64
        let bucket: Int32
        let step: UInt8
        /// A bit for each guard that fails on both versions, then for each that fails on the new one only.
        let usual: UInt8
        let bad: UInt8
        let reports: Bool
        let logTime: Float
        /// The sessions with the version so far.
        var sessions: UInt8 = 0
    }

    private let scenario: Scenario
    private var random: SplitMix
    private var byStep: [[Device]]
    private var watch = RolloutWatch()
    private let plan: RolloutPlan
    private var share: Int
    private var shareSince = SimulatedRollout.start
    private var outcome = Outcome()
    /// Reports that have not arrived yet, by the step of their arrival.
    private var late: [[(id: UInt64, arm: Arm, report: RolloutWatch.Report)]] =
        Array(repeating: [], count: SimulatedRollout.longestDays * 144)

    private static let stepSeconds: Int64 = 600
    private static let stepsPerSession = 144 / Scenario.sessionsPerDay
    /// In steps.
    private static let lookEvery = 6
    private static let longestDays = 60
    /// The time of the first call; any.
    private static let start: Int64 = 1_800_000_000

    init(_ scenario: Scenario, seed: UInt64) {
        self.scenario = scenario
        plan = RolloutPlan(shares: Scenario.shares, holdSeconds: scenario.holdSeconds)
        share = plan.shares[0]
        random = SplitMix(seed: seed)
        byStep = Array(repeating: [], count: Self.stepsPerSession)
        for _ in 0..<scenario.devices {
            let device = Device(
                id: random.next(), bucket: Int32(random.next() % 1_000_000),
                step: UInt8(random.next() % UInt64(Self.stepsPerSession)), usual: Self.draw(Scenario.usual, &random),
                bad: Self.draw(scenario.bad, &random), reports: random.uniform() < scenario.reporting,
                logTime: Float(10 + Scenario.timeDeviation * random.normal()))
            byStep[Int(device.step)].append(device)
        }
    }

    private static func draw(_ shares: [Guard: Double], _ random: inout SplitMix) -> UInt8 {
        guard !shares.isEmpty else { return 0 }
        var bits: UInt8 = 0
        for (index, each) in Guard.rates.enumerated() {
            if let share = shares[each], random.uniform() < share { bits |= 1 << UInt8(index) }
        }
        return bits
    }

    mutating func run() -> Outcome {
        for step in 0..<Self.longestDays * 144 {
            let now = Self.start + Int64(step) * Self.stepSeconds
            for due in late[step] { watch.reported(due.id, due.arm, due.report, atSeconds: now) }
            late[step] = []
            let place = step % Self.stepsPerSession
            for index in byStep[place].indices {
                var device = byStep[place][index]
                session(&device, now)
                byStep[place][index] = device
            }
            watch.tick(atSeconds: now + Self.stepSeconds)
            guard step % Self.lookEvery == Self.lookEvery - 1 else { continue }
            outcome.days = Double(step + 1) / 144
            if look(now + Self.stepSeconds) { break }
        }
        return outcome
    }

    /// Whether the rollout is over.
    private mutating func look(_ now: Int64) -> Bool {
        let found = watch.findings(of: Guard.allCases, holdSeconds: plan.holdSeconds, atSeconds: now)
        switch plan.step(share: share, findings: found, secondsAtShare: now - shareSince) {
        case .wait: return false
        case .stop(let guarded):
            outcome.stoppedBy = guarded
            return true
        case .widen(let next):
            share = next
            shareSince = now
            outcome.isComplete = share >= 1_000_000
            return outcome.isComplete
        }
    }

    private mutating func session(_ device: inout Device, _ now: Int64) {
        let arm: Arm = Int(device.bucket) < share ? .version : .below
        let rejects = device.bad & 1 != 0
        let has = device.sessions > 0 && !rejects
        watch.called(device.id, arm, namesOwn: arm == .below || has, atSeconds: now)
        if arm == .version {
            if device.sessions == 0 {
                guard random.uniform() >= Scenario.brokenDownloads else { return }
                outcome.reached += 1
            }
            device.sessions = min(device.sessions + 1, 100)
        }
        guard device.reports, !(arm == .version && rejects) else { return }
        report(device, arm, now)
    }

    private mutating func report(_ device: Device, _ arm: Arm, _ now: Int64) {
        let usual = device.usual != 0 && random.next() & 1 == 0 ? device.usual : 0
        let isBad = arm == .version && device.bad != 0 && Int(device.sessions) > scenario.failureSessions
        let slower = arm == .version ? log(scenario.slower) : 0
        var report = Self.report(usual, logTime: Double(device.logTime) + slower)
        if scenario.failureSteps > 0 {
            // Devices report again while they are in use.
            later(device.id, arm, Self.report(isBad ? device.bad : 0, logTime: nil), scenario.failureSteps, now)
        } else if isBad {
            report = Self.report(usual | device.bad, logTime: Double(device.logTime) + slower)
        }
        later(device.id, arm, report, scenario.reportSteps, now)
    }

    private static func report(_ failures: UInt8, logTime: Double?) -> RolloutWatch.Report {
        RolloutWatch.Report(
            loadFailed: failures & 2 != 0, crashed: failures & 4 != 0, runFailed: failures & 8 != 0,
            logRunTime: logTime)
    }

    private mutating func later(_ id: UInt64, _ arm: Arm, _ report: RolloutWatch.Report, _ steps: Int, _ now: Int64) {
        guard steps > 0 else { return watch.reported(id, arm, report, atSeconds: now) }
        let place = Int((now - Self.start) / Self.stepSeconds) + steps
        guard place < late.count else { return }
        late[place].append((id, arm, report))
    }
}
