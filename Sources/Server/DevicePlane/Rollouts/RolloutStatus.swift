package import HearthCatalog
package import HearthRollouts

/// What the guards of a release say, and by what it is watched.
package struct RolloutStatus {
    /// From this share of the devices on the baseline that report, guards on reports are on.
    static let leastReportingShare = 0.2

    /// The guards that are on.
    package let on: [Guard]
    /// Of the guards that are on; empty if nothing was seen.
    package let findings: [GuardFinding]
    /// Guards that wait until enough devices report.
    package let waiting: [Guard]

    /// Whether the release is under way and not for all devices of its audience: only then can devices be compared.
    package static func isPartial(_ release: Release, nowMicroseconds now: Int64) -> Bool {
        release.endedMicroseconds == nil
            && EffectiveShare.share(of: release, nowMicroseconds: now) < Release.fullShare
    }

    /// Which devices take part; nil if nothing was seen.
    package let devices: Devices?

    /// The devices of a watch.
    package struct Devices {
        package let sinceSeconds: Int64
        package let counts: RolloutWatch.Counts
        package let survey: RolloutWatch.Survey
        /// The share of the places in the draw that are compared, 0 to 1.
        package let comparedShare: Double
    }

    /// - Parameters:
    ///   - watch: nil if nothing was seen.
    ///   - now: by the clock of the watches.
    package init(of release: Release, _ watch: RolloutWatch?, atSeconds now: Int64) {
        let guarding = release.guarding ?? ReleaseGuarding(off: Set(Guard.allCases))
        let survey = watch?.survey(holdSeconds: guarding.holdSeconds, atSeconds: now)
        let hasReports = (survey?.reportingShare ?? 0) >= Self.leastReportingShare
        on = guarding.guards.filter { hasReports || $0 == .returnedWithout }
        waiting = hasReports ? [] : guarding.guards.filter { $0 != .returnedWithout }
        guard let watch, let survey else {
            (devices, findings) = (nil, [])
            return
        }
        devices = Devices(
            sinceSeconds: watch.sinceSeconds, counts: watch.counts, survey: survey,
            comparedShare: watch.places.compared)
        findings = watch.findings(of: on, survey)
    }

    /// The verdict of all guards together, as `GuardState.state` on the wire: `violated`; `satisfied` if all guards are;
    /// `waiting` if none is on; otherwise `undecided`.
    package var state: String {
        let verdicts = Set(findings.map(\.verdict))
        if verdicts.contains(.violated) { return GuardVerdict.violated.rawValue }
        guard !verdicts.isEmpty else { return "waiting" }
        let isSatisfied = verdicts == [.satisfied] && waiting.isEmpty
        return (isSatisfied ? GuardVerdict.satisfied : .undecided).rawValue
    }

    /// The numbers of a guard that found harm.
    package func reason(for guarded: Guard, version: Int) -> String {
        guard let finding = findings.first(where: { $0.guarded == guarded }) else { return guarded.rawValue }
        let percent = 100 * GuardLimit.standard(guarded).errorRate
        let others = finding.failedInArm - (finding.failed.first ?? 0)
        return Self.numbers(finding, version)
            + (others > 0 ? ", and \(others) of the devices that get the version with another one" : "")
            + "; a version without harm is stopped by this guard with a chance of at most \(percent) %"
    }

    /// The numbers of all guards that are on.
    ///
    /// - Parameter isBrief: without what undecided ones lack.
    package func summary(version: Int, isBrief: Bool = false) -> String {
        guard !findings.isEmpty else { return "no guard is on" }
        return findings.map { finding in
            let lack = isBrief ? nil : lack(of: finding)
            return Self.numbers(finding, version) + (lack.map { " (undecided: \($0))" } ?? "")
        }.joined(separator: "; ")
    }

    /// What an undecided guard lacks, and what helps; nil if it has decided.
    package func lack(of finding: GuardFinding) -> String? {
        guard finding.verdict == .undecided, let devices else { return nil }
        if devices.comparedShare <= 0 {
            return "no device can be compared, because all were offered the version before the watch began; "
                + "a new release of the version is watched from its start"
        }
        guard devices.survey.devices.allSatisfy({ $0 > 0 }) else {
            let isVersion = devices.survey.devices[Arm.version.rawValue] == 0
            if isVersion, devices.comparedShare < 1 {
                return
                    "none of the devices that get the version can be compared, because they were offered it before the watch "
                    + "began; a larger share brings some"
            }
            let arm = isVersion ? "the devices that get the version" : "the devices on the baseline"
            return "none of \(arm) takes part yet; a device does if it names the baseline when it first asks"
        }
        if finding.guarded == .runTime {
            let least = finding.devices.min() ?? 0
            return least < TimeTest.burnIn
                ? "has \(finding.devices[0]) values with the version and \(finding.devices[1]) on the baseline, and needs "
                    + "\(TimeTest.burnIn) of each"
                : "the times vary too much to say yet"
        }
        if finding.speaksForHarm {
            return "what was seen speaks for harm and proves none; the share does not grow by itself, "
                + "so look at the numbers, and set a larger share or end the release"
        }
        if Self.failsMoreOften(finding) {
            return
                "more of the devices with the version have failed than of those on the baseline; guards compare whole periods "
                + "of ten minutes, and stop the release when that proves harm"
        }
        if finding.pending > 0 {
            return "\(finding.pending) devices came back once with another version, and have failed if they do so again"
        }
        guard let needed = finding.needed else {
            return "too many devices have failed, with the version or whatever they run, to rule harm out yet"
        }
        return "has judged \(finding.counted) devices with the version, and needs about \(needed) to rule harm out"
    }

    /// Whether the numbers speak for harm at a glance, so that it would mislead to say how many devices rule harm out.
    private static func failsMoreOften(_ finding: GuardFinding) -> Bool {
        guard finding.failed.count == 2, finding.failed[0] >= 5 else { return false }
        // Three times as often as with the baseline, with one failure more there than was seen.
        return Double(finding.failed[0]) * Double(finding.devices[1])
            > 3 * Double(finding.failed[1] + 1) * Double(finding.devices[0])
    }

    private static func numbers(_ finding: GuardFinding, _ version: Int) -> String {
        let devices = finding.devices
        guard let failed = finding.failed.isEmpty ? nil : finding.failed else {
            let both = "\(devices[0]) devices with version \(version), \(devices[1]) on the baseline"
            guard let ratio = finding.ratio else { return "no times of runs to compare yet: \(both)" }
            return "runs take \(Double(Int(ratio * 100 + 0.5)) / 100) times as long: \(both)"
        }
        let counts =
            "\(failed[0]) of \(devices[0]) devices with version \(version), \(failed[1]) of \(devices[1]) on the baseline"
        return switch finding.guarded {
        case .returnedWithout: "came back without their version: \(counts)"
        case .loadFailures: "could not load it: \(counts)"
        case .crashes: "crashed: \(counts)"
        case .failedRuns: "had failed runs: \(counts)"
        case .runTime: counts
        }
    }
}
