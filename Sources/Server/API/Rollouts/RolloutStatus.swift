import HearthCatalog
import HearthRollouts

/// What the guards of a release say, and by what it is watched.
struct RolloutStatus {
    /// From this share of the devices on the version below that report, guards on reports are on.
    static let leastReportingShare = 0.2

    /// Of the guards that are on.
    let findings: [GuardFinding]
    /// Guards that wait until enough devices report.
    let waiting: [Guard]

    /// Whether the release is under way and not for all devices of its audience: only then can devices be compared.
    static func isPartial(_ release: Release, nowMicroseconds now: Int64) -> Bool {
        release.endedMicroseconds == nil
            && EffectiveShare.share(of: release, nowMicroseconds: now) < Release.fullShare
    }

    /// - Parameter now: by the clock of the watches.
    init(of release: Release, _ watch: RolloutWatch, atSeconds now: Int64) {
        let guarding = release.guarding ?? ReleaseGuarding(off: Set(Guard.allCases))
        let hasReports = watch.reportingShare >= Self.leastReportingShare
        let on = guarding.guards.filter { hasReports || $0 == .returnedWithout }
        waiting = guarding.guards.filter { !on.contains($0) }
        findings = watch.findings(of: on, holdSeconds: guarding.holdSeconds, atSeconds: now)
    }

    /// The verdict of all guards together, as `GuardState.state` on the wire: `violated`; `satisfied` if all guards are;
    /// `waiting` if none is on; otherwise `undecided`.
    var state: String {
        let verdicts = Set(findings.map(\.verdict))
        if verdicts.contains(.violated) { return GuardVerdict.violated.rawValue }
        guard !verdicts.isEmpty else { return "waiting" }
        let isSatisfied = verdicts == [.satisfied] && waiting.isEmpty
        return (isSatisfied ? GuardVerdict.satisfied : .undecided).rawValue
    }

    /// The numbers of a guard that found harm.
    func reason(for guarded: Guard, version: Int) -> String {
        guard let finding = findings.first(where: { $0.guarded == guarded }) else { return guarded.rawValue }
        let percent = 100 * GuardLimit.standard(guarded).errorRate
        return Self.numbers(finding, version)
            + "; a version without harm is stopped by this guard with a chance of at most \(percent) %"
    }

    /// The numbers of all guards that are on.
    func summary(version: Int) -> String {
        guard !findings.isEmpty else { return "no guard is on" }
        return findings.map {
            Self.numbers($0, version) + ($0.verdict == .undecided ? " (undecided)" : "")
        }.joined(separator: "; ")
    }

    private static func numbers(_ finding: GuardFinding, _ version: Int) -> String {
        let devices = finding.devices
        guard let failed = finding.failed.isEmpty ? nil : finding.failed else {
            let ratio = finding.ratio.map { "\(Double(Int($0 * 100 + 0.5)) / 100)" } ?? "?"
            return "runs take \(ratio) times as long with version \(version) "
                + "(\(devices[0]) devices with it, \(devices[1]) below)"
        }
        let counts =
            "\(failed[0]) of \(devices[0]) devices with version \(version), \(failed[1]) of \(devices[1]) below"
        return switch finding.guarded {
        case .returnedWithout: "came back without their version: \(counts)"
        case .loadFailures: "could not load it: \(counts)"
        case .crashes: "crashed: \(counts)"
        case .failedRuns: "had failed runs: \(counts)"
        case .runTime: counts
        }
    }
}
