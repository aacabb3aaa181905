import Glibc
import HearthCampaignInput

/// An installation of the app.
struct SimulatedDevice {
    /// What is true about a device.
    struct Traits: OptionSet {
        let rawValue: UInt32

        static let reports = Traits(rawValue: 1 << 0)
        /// Its client says what hinders a download.
        static let saysObstacles = Traits(rawValue: 1 << 1)
        static let loadsNoVersion = Traits(rawValue: 1 << 2)
        static let crashesWithEach = Traits(rawValue: 1 << 3)
        static let neverDownloads = Traits(rawValue: 1 << 4)
        /// It says that it waits for conditions, for ever.
        static let waitsForEver = Traits(rawValue: 1 << 5)
        /// It says that storage lacks, for ever.
        static let lacksStorage = Traits(rawValue: 1 << 6)
        static let mostlyWaits = Traits(rawValue: 1 << 7)
        static let mostlyLacksStorage = Traits(rawValue: 1 << 8)
        /// The version fails on it.
        static let isBad = Traits(rawValue: 1 << 9)
        static let usuallyCrashes = Traits(rawValue: 1 << 10)
        static let usuallyFailsRuns = Traits(rawValue: 1 << 11)
        static let usuallyFailsLoads = Traits(rawValue: 1 << 16)
        static let rejectedVersion = Traits(rawValue: 1 << 12)
        static let rejectedBelow = Traits(rawValue: 1 << 13)
        /// A pin, an experiment or a newer release decides.
        static let isElsewhere = Traits(rawValue: 1 << 14)
        static let wasReached = Traits(rawValue: 1 << 15)
    }

    enum File: UInt8 {
        case none, baseline, version, older
    }

    let id: UInt64
    let place: Int32
    /// The next device that calls in the same slot; -1 for none.
    var next: Int32 = -1
    /// Mean slots between two calls.
    var gap: Float
    var logTime: Float
    /// The chance of a crash in a session, without what changes over time.
    var crashes: Float
    /// 0 to 1; devices with a low number are pinned first.
    let rank: Float
    /// The slot in which the device gets the app update.
    let updateSlot: Int32
    var traits: Traits
    var has: File
    /// Sessions, reports and crashes in a row since `has` was installed.
    var sessions: UInt8 = 0
    var reports: UInt8 = 0
    var crashesInRow: UInt8 = 0

    mutating func install(_ file: File) {
        has = file
        (sessions, reports, crashesInRow) = (0, 0, 0)
    }
}

extension SimulatedDevice {
    init(of scenario: Scenario, isNew: Bool, _ random: inout SplitMix) {
        func has(_ share: Double) -> Bool { share > 0 && random.uniform() < share }
        func any(_ share: Double, _ trait: Traits) -> Traits { has(share) ? trait : [] }
        id = random.next()
        place = Int32(random.next() % 1_000_000)
        rank = Float(random.uniform())
        let isRare = has(scenario.rare)
        let days = isRare ? scenario.rareDays : 1 / Scenario.sessionsPerDay
        gap = Float(days * Double(Slots.perDay))
        var traits: Traits = any(scenario.reporting, .reports)
        traits.formUnion(any(scenario.newClients, .saysObstacles))
        traits.formUnion(any(scenario.noVersionLoads, .loadsNoVersion))
        traits.formUnion(any(scenario.everyVersionCrashes, .crashesWithEach))
        traits.formUnion(any(scenario.waiting, .mostlyWaits))
        traits.formUnion(any(scenario.shortOfStorage, .mostlyLacksStorage))
        traits.formUnion(any(Scenario.usualCrashes, .usuallyCrashes))
        traits.formUnion(any(Scenario.usualFailures, .usuallyFailsRuns))
        traits.formUnion(any(Scenario.usualFailures, .usuallyFailsLoads))
        traits.formUnion(any(scenario.harm?.share ?? 0, .isBad))
        var file: File = isNew ? .none : .baseline
        if has(scenario.versionsBehind), !isNew { file = .older }
        if has(scenario.takesNone) {
            traits.insert(.neverDownloads)
            file = has(0.5) ? .none : .older
        } else if !isNew, has(scenario.cannotUpdate) {
            file = .baseline
            // A third each: says that storage lacks, says that it waits, says nothing.
            let kind = random.next() % 3
            traits.formUnion([.neverDownloads, kind == 0 ? .lacksStorage : kind == 1 ? .waitsForEver : []])
        }
        if !traits.isDisjoint(with: [.loadsNoVersion, .crashesWithEach]) {
            file = .none
            if !isNew { traits.insert(.rejectedBelow) }
        }
        let isOffered = !isNew && place < scenario.offered && file == .baseline
        if isOffered, traits.isDisjoint(with: [.neverDownloads, .mostlyLacksStorage]) { file = .version }
        self.has = file
        sessions = 100
        reports = 100
        var crashes = scenario.crashesPerSession
        if scenario.waiting > 0, !traits.contains(.mostlyWaits) { crashes *= scenario.crashesOfOthers }
        if traits.contains(.mostlyLacksStorage) { crashes *= scenario.crashesShortOfStorage }
        if isRare { crashes *= scenario.crashesOfRare }
        if scenario.frailty > 0 {
            let deviation = scenario.frailty
            crashes *= exp(deviation * random.normal() - deviation * deviation / 2)
        }
        self.crashes = Float(min(crashes, 0.5))
        let time = 10 + Scenario.timeDeviation * random.normal() + (isRare ? log(scenario.timeOfRare) : 0)
        logTime = Float(time)
        let update = scenario.appUpdateDays
        let day = update.lowerBound + random.uniform() * (update.upperBound - update.lowerBound)
        updateSlot = Int32(day * Double(Slots.perDay))
        self.traits = traits
    }
}
