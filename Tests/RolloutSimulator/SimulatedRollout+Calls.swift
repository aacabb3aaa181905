import Glibc
import HearthCampaignInput
import HearthCatalog
import HearthRollouts

/// What a device does when it calls and when it runs what it has.
extension SimulatedRollout {
    private static let tags: [UInt16] = [0, 0x51A7, 0xC3E2, 0x0F39]

    mutating func call(_ index: Int, _ slot: Int, _ now: Int64) {
        var device = devices[index]
        defer { devices[index] = device }
        restore(&device)
        let isElsewhere = device.rank < elsewhere
        let isVersion = !isElsewhere && Int(device.place) < share && (!isPaused || device.has == .version)
        let wanted: SimulatedDevice.File = isVersion ? .version : .baseline
        let waits =
            device.traits.contains(.waitsForEver)
            || device.traits.contains(.mostlyWaits) && random.uniform() >= scenario.meetsConditions
        let lacksStorage =
            device.traits.contains(.lacksStorage)
            || device.traits.contains(.mostlyLacksStorage) && random.uniform() < 0.9
        let rejected = device.traits.contains(isVersion ? .rejectedVersion : .rejectedBelow)
        if isElsewhere {
            observe(RolloutObservation(device: device.id, atSeconds: now, .left))
        } else {
            let call = RolloutObservation.Call(
                place: Int(device.place), named: Self.named(device.has), tag: Self.tags[Int(device.has.rawValue)],
                isWaiting: waits,
                obstacle: !device.traits.contains(.saysObstacles)
                    ? nil : rejected ? .rejected : lacksStorage && device.has != wanted ? .storage : nil)
            observe(RolloutObservation(device: device.id, atSeconds: now, .called(call)))
        }
        let downloads = device.has != wanted && !waits && !lacksStorage && !rejected
        if downloads, !device.traits.contains(.neverDownloads), random.uniform() >= Scenario.brokenDownloads {
            take(wanted, &device, Int32(index), slot)
        }
        if device.has != .none { use(&device, Int32(index), slot) }
    }

    private static func named(_ file: SimulatedDevice.File) -> RolloutObservation.Named {
        switch file {
        case .none: .nothing
        case .baseline: .baseline
        case .version: .version
        case .older: .other
        }
    }

    /// A backup has what the device had before its last update.
    private mutating func restore(_ device: inout SimulatedDevice) {
        guard scenario.restored > 0, random.uniform() < scenario.restored else { return }
        switch device.has {
        case .version: device.install(.baseline)
        case .baseline: device.install(.older)
        case .none, .older: break
        }
    }

    /// A download that did not break is checked.
    private mutating func take(
        _ file: SimulatedDevice.File, _ device: inout SimulatedDevice, _ index: Int32, _ slot: Int
    ) {
        if file == .version, !device.traits.contains(.wasReached) {
            device.traits.insert(.wasReached)
            if outcome.stoppedBy == nil { outcome.reached += 1 }
        }
        let isBad = file == .version && device.traits.contains(.isBad)
        let isUnloadable = device.traits.contains(.loadsNoVersion) || isBad && scenario.harm?.seenBy == .loadFailures
        if isUnloadable {
            reject(file, &device)
            send(Facts(loadFailed: true, loaded: true), nil, file, device, index, slot)
        } else if isBad, let harm = scenario.harm, harm.seenBy == .returnedWithout, !harm.returnsAfterUse {
            // Only a client that says so can be seen here.
            device.traits.insert(.saysObstacles)
            reject(file, &device)
        } else {
            device.install(file)
        }
    }

    private func reject(_ file: SimulatedDevice.File, _ device: inout SimulatedDevice) {
        device.traits.insert(file == .version ? .rejectedVersion : .rejectedBelow)
    }

    /// A session with what the device has.
    private mutating func use(_ device: inout SimulatedDevice, _ index: Int32, _ slot: Int) {
        let isVersion = device.has == .version
        let isBad = isVersion && device.traits.contains(.isBad)
        let harm = scenario.harm
        let fails = isBad && Int(device.sessions) >= harm?.afterSessions ?? 0
        device.sessions = min(device.sessions + 1, 100)
        var facts = Facts(loaded: true, ran: random.next() % 8 != 0)
        facts.crashed = device.crashes > 0 && random.uniform() < Double(device.crashes) * crashesNow
        if device.traits.contains(.usuallyCrashes), random.next() & 1 == 0 { facts.crashed = true }
        facts.runFailed = failsByChance(device, .usuallyFailsRuns, scenario.failedRunsPerSession)
        facts.loadFailed = failsByChance(device, .usuallyFailsLoads, scenario.failedLoadsPerSession)
        let isGivenUp = device.traits.contains(.crashesWithEach) || fails && harm?.givesUp == true
        if device.traits.contains(.crashesWithEach) { facts.crashed = true }
        if fails, harm?.afterHours == 0 {
            facts.crashed = facts.crashed || harm?.seenBy == .crashes
            facts.runFailed = facts.runFailed || harm?.seenBy == .failedRuns
        } else if fails {
            // Devices report again while they are in use.
            let later = Facts(crashed: harm?.seenBy == .crashes, runFailed: harm?.seenBy == .failedRuns, loaded: true)
            let slots = Int((harm?.afterHours ?? 0) * Double(Slots.perHour))
            send(later, nil, device.has, device, index, slot + slots)
        }
        send(facts, time(of: device, slot), device.has, device, index, slot)
        device.reports = min(device.reports + 1, 100)
        device.crashesInRow = facts.crashed ? min(device.crashesInRow + 1, 100) : 0
        if isGivenUp, device.crashesInRow >= 3 {
            reject(device.has, &device)
            device.install(device.traits.contains(.crashesWithEach) ? .none : .baseline)
        } else if fails, harm?.returnsAfterUse == true, device.sessions > 2 {
            device.traits.formUnion([.rejectedVersion, .saysObstacles])
            device.install(.baseline)
        }
    }

    private mutating func failsByChance(
        _ device: SimulatedDevice, _ trait: SimulatedDevice.Traits, _ chance: Double
    ) -> Bool {
        if device.traits.contains(trait), random.next() & 1 == 0 { return true }
        return chance > 0 && random.uniform() < chance
    }

    private mutating func time(of device: SimulatedDevice, _ slot: Int) -> Double {
        var time = Double(device.logTime) + Scenario.timeNoise * random.normal() + logTimeNow
        if scenario.appUpdate != 1, slot >= device.updateSlot { time += log(scenario.appUpdate) }
        if device.has == .version, let slower = scenario.harm?.slower, slower != 1 { time += log(slower) }
        if device.reports == 0 { time += log(scenario.slowFirstRun) }
        return time
    }
}

/// What a report says.
private struct Facts {
    var loadFailed = false
    var crashed = false
    var runFailed = false
    var loaded = false
    var ran = false

    var bits: UInt8 {
        (loadFailed ? 1 : 0) | (crashed ? 2 : 0) | (runFailed ? 4 : 0) | (loaded ? 8 : 0) | (ran ? 16 : 0)
    }
}

extension SimulatedRollout {
    private mutating func send(
        _ facts: Facts, _ logTime: Double?, _ file: SimulatedDevice.File, _ device: SimulatedDevice, _ index: Int32,
        _ slot: Int
    ) {
        guard device.traits.contains(.reports) else { return }
        let mean = scenario.reportHours * Double(Slots.perHour)
        // Within five minutes, or much later.
        let delay = mean > 0 ? -log(1 - random.uniform()) * mean : 30 * random.uniform()
        let time = facts.ran ? logTime.map(Float.init) ?? .nan : .nan
        let entry = PendingReports.Entry(
            device: index, next: -1, isOfVersion: file == .version, facts: facts.bits, logTime: time)
        pending.add(entry, at: slot + 1 + Int(delay))
    }

    mutating func deliver(_ entry: PendingReports.Entry, _ now: Int64) {
        let report = RolloutWatch.Report(
            loadFailed: entry.facts & 1 != 0, crashed: entry.facts & 2 != 0, runFailed: entry.facts & 4 != 0,
            hasLoaded: entry.facts & 8 != 0, hasRun: entry.facts & 16 != 0,
            logRunTime: entry.logTime.isNaN ? nil : Double(entry.logTime))
        let id = devices[Int(entry.device)].id
        observe(RolloutObservation(device: id, atSeconds: now, .reported(isOfVersion: entry.isOfVersion, report)))
    }
}
