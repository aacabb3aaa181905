extension RolloutWatch {
    /// Counts of one report of a device about one version.
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
        var guards: UInt8 { (hasLoaded ? 2 | 4 : 0) | (hasRun ? 4 | 8 : 0) | failures }

        /// A bit per guard, in the order of `Guard.rates`.
        var failures: UInt8 { (loadFailed ? 2 : 0) | (crashed ? 4 : 0) | (runFailed ? 8 : 0) }
    }
}
