package import HearthCatalog

extension RolloutWatch {
    /// How many devices of the arm take part now.
    package func taking(part arm: Arm) -> Int { present[arm.rawValue].values.reduce(0, +) }

    /// The share of the devices below that have reported, 0 to 1.
    package var reportingShare: Double {
        var (count, reporting) = (0, 0)
        for device in devices.values where device.entered != nil && places.arm(of: device.place) == .below {
            count += 1
            if device.marks.contains(.hasReported) { reporting += 1 }
        }
        return count > 0 ? Double(reporting) / Double(count) : 0
    }

    /// The devices of the version's arm, by what became of the version on them.
    package struct Taken: Sendable, Hashable {
        /// Devices that have or had it.
        package var taken = 0
        /// Devices that came back several times and never had it.
        package var takesNone = 0
        /// Devices that called at the present share and may yet take it.
        package var offered = 0
        /// Devices that said that they rejected it, and devices whose last call said that they have no room for it.
        package var rejected = 0
        package var lackingStorage = 0
    }

    package var taken: Taken {
        var taken = Taken()
        for device in devices.values where device.entered != nil && places.arm(of: device.place) == .version {
            if device.marks.contains(.hasRejected) { taken.rejected += 1 }
            if device.marks.contains(.lacksStorage) { taken.lackingStorage += 1 }
            if device.hasVersion {
                taken.taken += 1
            } else if device.takesNone {
                taken.takesNone += 1
            } else if device.readySince > 0, device.readyStage == places.stage {
                taken.offered += 1
            }
        }
        return taken
    }

    /// The version's devices that have had it for so long, by guard in the order of `Guard.rates`.
    func counted(forSeconds hold: Int64, atSeconds now: Int64) -> [RateTest.Counted] {
        var counted = rates.map { _ in RateTest.Counted() }
        for device in devices.values where device.counted & 0xF0 != 0 {
            guard places.arm(of: device.place) == .version else { continue }
            let isHeld = device.since > 0 && now - device.since >= hold
            for index in rates.indices
            where device.counted & (16 << UInt8(index)) != 0 && (isHeld || device.failed & (1 << UInt8(index)) != 0) {
                counted[index].all += 1
                if device.marks.contains(.isPrompt) { counted[index].prompt += 1 }
            }
        }
        counted[0].pending = pending
        return counted
    }

    /// - Parameters:
    ///   - guards: those that are on.
    ///   - hold: how long a device must have had the version to count as sound, in seconds.
    package func findings(of guards: [Guard], holdSeconds hold: Int64, atSeconds now: Int64) -> [GuardFinding] {
        let counted = counted(forSeconds: hold, atSeconds: now)
        let taken = taken
        let expected = Double(taken.taken + taken.offered)
        let reporting = reportingShare * expected
        return guards.map { each in
            guard let index = Guard.rates.firstIndex(of: each) else {
                return GuardFinding(
                    guarded: each, verdict: time.verdict, counted: time.devices[0], expected: reporting,
                    devices: time.devices, ratio: time.ratio, ratioInterval: time.ratioInterval)
            }
            let test = rates[index]
            let part = counted[index]
            let verdict = test.verdict(part)
            var finding = GuardFinding(
                guarded: each, verdict: verdict, counted: part.all,
                expected: index == 0 ? expected : reporting, isPending: test.wouldExceed(pending: part.pending),
                devices: test.devices, failed: test.failed, pending: part.pending,
                needed: verdict == .undecided ? test.devicesNeeded(part) : nil)
            finding.logEvidenceAgainstHarm = test.logEvidenceAgainstHarm(part)
            finding.failedInArm = test.failedInArm
            finding.speaksForHarm = verdict == .undecided && test.speaksForHarm(part)
            return finding
        }
    }
}
