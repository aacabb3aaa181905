import HearthCampaignInput

/// Sound versions in fleets that a seeded generator draws.
extension Scenario {
    static func drawn(_ count: Int, seed: UInt64) -> [Scenario] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { number in drawn("drawn \(number + 1)", &random) }
    }

    private static func drawn(_ name: String, _ random: inout SplitMix) -> Scenario {
        var scenario = Scenario(name)
        /// A value of the range with the given chance, else none.
        func some(_ range: ClosedRange<Double>, _ chance: Double = 0.5) -> Double? {
            let (isDrawn, place) = (random.uniform() < chance, random.uniform())
            return isDrawn ? range.lowerBound + place * (range.upperBound - range.lowerBound) : nil
        }
        scenario.noVersionLoads = some(0.001...0.01, 0.7) ?? 0.001
        scenario.everyVersionCrashes = some(0.0005...0.003, 0.4) ?? 0
        scenario.takesNone = some(0.002...0.03) ?? 0
        scenario.cannotUpdate = some(0.002...0.05) ?? 0
        scenario.versionsBehind = some(0.01...0.2) ?? 0
        scenario.waiting = some(0.2...0.7, 0.4) ?? 0
        scenario.meetsConditions = some(0.03...0.3, 1) ?? 0
        scenario.crashesOfOthers = some(0.3...4, 1) ?? 1
        scenario.shortOfStorage = some(0.02...0.1, 0.4) ?? 0
        scenario.rare = some(0.1...0.4) ?? 0
        scenario.crashesOfRare = some(0.2...4, 1) ?? 1
        scenario.timeOfRare = some(0.6...1.6, 1) ?? 1
        scenario.rareDays = some(2...8, 1) ?? 4
        scenario.reporting = some(0.25...1) ?? 1
        scenario.newClients = some(0...1) ?? 1
        scenario.installedPerDay = some(0.005...0.04, 0.4) ?? 0
        scenario.crashesPerSession = some(0.0002...0.005, 0.7) ?? 0
        scenario.failedLoadsPerSession = some(0.0002...0.005) ?? 0
        scenario.failedRunsPerSession = some(0.0002...0.005) ?? 0
        scenario.frailty = some(0.3...1.5) ?? 0
        scenario.laterCrashes = some(0.4...2.5) ?? 1
        scenario.laterTime = some(0.7...1.4) ?? 1
        scenario.laterDay = some(0.5...6, 1) ?? 2
        scenario.appUpdate = some(1.2...1.5, 0.4) ?? 1
        scenario.nightCrashes = some(0.3...4) ?? 1
        scenario.nightTime = some(0.8...1.4) ?? 1
        scenario.slowFirstRun = some(1.05...1.3) ?? 1
        scenario.reportHours = some(0.5...16) ?? 0
        scenario.restored = some(0.0001...0.001, 0.3) ?? 0
        scenario.holdSeconds = Int64(some(3600...86_400, 0.4) ?? 7200)
        if let day = some(0.3...2, 0.3) {
            scenario.changes = [(day, .times(0.5)), (day + 1, .times(2))]
        }
        if let day = some(2.5...4, 0.3) { scenario.changes.append((day, .leave(0.3))) }
        return scenario
    }
}
