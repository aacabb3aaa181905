package import HearthCatalog

extension RolloutWatch {
    /// What became of the devices that take part.
    package struct Survey: Sendable, Hashable {
        /// By arm.
        package var devices = [0, 0]
        /// Devices of the baseline that have reported.
        package var reporting = 0
        /// Devices of the version's arm that have or had the version.
        package var taken = 0
        /// Devices of the version's arm that came back several times and never had it.
        package var neverTaken = 0
        /// Devices of the version's arm that called at the present share and may yet take it.
        package var offered = 0
        /// Devices of the version's arm that said that they rejected it, and those whose last call said that they have no
        /// room for it.
        package var rejected = 0
        package var lackingStorage = 0
        /// Devices of the version's arm that have had the version for long enough, by guard in the order of `Guard.rates`.
        var counted: [RateTest.Counted]

        /// The share of the devices of the baseline that have reported, 0 to 1.
        package var reportingShare: Double {
            let all = devices[Arm.baseline.rawValue]
            return all > 0 ? Double(reporting) / Double(all) : 0
        }
    }

    /// Takes about a millisecond.
    ///
    /// - Parameter hold: how long a device must have had the version to count as sound, in seconds.
    package func survey(holdSeconds hold: Int64, atSeconds now: Int64) -> Survey {
        var survey = Survey(counted: rates.map { _ in RateTest.Counted() })
        for device in devices.values where device.entered != nil {
            guard let arm = places.arm(of: device.place) else { continue }
            survey.devices[arm.rawValue] += 1
            switch arm {
            case .baseline: if device.marks.contains(.hasReported) { survey.reporting += 1 }
            case .version: add(device, to: &survey, isHeld: device.hasVersion && now - device.since >= hold)
            }
        }
        survey.counted[0].pending = pending
        return survey
    }

    /// - Parameter device: of the version's arm.
    private func add(_ device: WatchedDevice, to survey: inout Survey, isHeld: Bool) {
        if device.marks.contains(.hasRejected) { survey.rejected += 1 }
        if device.marks.contains(.lacksStorage) { survey.lackingStorage += 1 }
        if device.hasVersion {
            survey.taken += 1
        } else if device.neverTakes {
            survey.neverTaken += 1
        } else if device.readySince > 0, device.readyStage == places.stage {
            survey.offered += 1
        }
        for index in rates.indices {
            let bit = UInt8(1) << UInt8(index)
            guard device.counted & bit << 4 != 0, isHeld || device.failed & bit != 0 else { continue }
            survey.counted[index].all += 1
            if device.marks.contains(.isPrompt) { survey.counted[index].prompt += 1 }
        }
    }

    /// - Parameter hold: as in `survey(holdSeconds:atSeconds:)`.
    package func findings(of guards: [Guard], holdSeconds hold: Int64, atSeconds now: Int64) -> [GuardFinding] {
        findings(of: guards, survey(holdSeconds: hold, atSeconds: now))
    }

    /// - Parameters:
    ///   - guards: those that are on.
    ///   - survey: of this watch, as it is now.
    package func findings(of guards: [Guard], _ survey: Survey) -> [GuardFinding] {
        let expected = Double(survey.taken + survey.offered)
        let reporting = survey.reportingShare * expected
        return guards.map { each in
            guard let index = Guard.rates.firstIndex(of: each) else {
                return GuardFinding(
                    guarded: each, verdict: time.verdict, counted: time.devices[0], expected: reporting,
                    devices: time.devices, ratio: time.ratio, ratioInterval: time.ratioInterval)
            }
            let test = rates[index]
            let counted = survey.counted[index]
            let verdict = test.verdict(counted)
            var finding = GuardFinding(
                guarded: each, verdict: verdict, counted: counted.all,
                expected: index == 0 ? expected : reporting, isPending: test.wouldExceed(pending: counted.pending),
                devices: test.devices, failed: test.failed, pending: counted.pending,
                needed: verdict == .undecided ? test.devicesNeeded(counted) : nil)
            finding.logEvidenceAgainstHarm = test.logEvidenceAgainstHarm(counted)
            finding.failedInArm = test.failedInArm
            finding.speaksForHarm = verdict == .undecided && test.speaksForHarm(counted)
            return finding
        }
    }
}
