/// A row of the sample that adoption is estimated from: an installation that has a version of a model.
package struct AdoptionRow: Sendable, Hashable {
    package var installation: Int64
    /// `AdoptionSample.none` or `.other` if it is no number of a version.
    package var version: Int
    package var system: String
    package var appVersion: String
    package var day: Int64

    package init(installation: Int64, version: Int, system: String, appVersion: String, day: Int64) {
        self.installation = installation
        self.version = version
        self.system = system
        self.appVersion = appVersion
        self.day = day
    }
}

/// An estimated number of installations, with what is needed to add it to others.
package struct AdoptionEstimate: Sendable, Hashable {
    package private(set) var count = 0.0
    /// Of the count.
    package private(set) var variance = 0.0
    /// The most installations that a row without any stands for.
    private var heaviest = 1.0

    package init() {}

    /// Adds `rows` rows of a sample, each of which stands for 2^shift installations (Horvitz and Thompson).
    package mutating func add(rows: Int, shift: Int) {
        let weight = Double(UInt64(1) << UInt64(min(max(shift, 0), 62)))
        count += Double(rows) * weight
        variance += Double(rows) * weight * (weight - 1)
        heaviest = max(heaviest, weight)
    }

    package mutating func add(_ other: AdoptionEstimate) {
        count += other.count
        variance += other.variance
        heaviest = max(heaviest, other.heaviest)
    }

    /// In 95 of 100 cases the true number differs by at most this much; 0 if the count is exact.
    package var margin: Double {
        // No row in a sample of one in w: with more than 3 w installations, that happens in 5 of 100 cases.
        if count == 0, heaviest > 1 { return 3 * heaviest }
        return 1.96 * variance.squareRoot()
    }
}

/// How many installations have been seen, in each of `AdoptionSample.windows`.
package struct AdoptionCounts: Sendable, Hashable {
    package var windows: [AdoptionEstimate]

    package init() { windows = AdoptionSample.windows.map { _ in AdoptionEstimate() } }

    package mutating func add(_ other: AdoptionCounts) {
        for index in windows.indices { windows[index].add(other.windows[index]) }
    }
}

/// The estimates of one model.
package struct AdoptionTally: Sendable {
    /// By number of version, `none` and `other`.
    package var versions: [Int: AdoptionCounts] = [:]
    /// By system as devices name it; empty for those that name none, and nil for all without a line of their own.
    package var systems: [String?: AdoptionCounts] = [:]
    /// By version of the app as devices name it; empty for those that name none, and nil for all without a line of
    /// their own.
    package var appVersions: [String?: AdoptionCounts] = [:]

    package init() {}
}

/// A model of which installations were seen.
package struct AdoptionModel: Sendable, Hashable {
    package var id: Int64
    package var projectID: String
    package var displayName: String
    /// Of all its samples.
    package var rows: Int

    package init(id: Int64, projectID: String, displayName: String, rows: Int) {
        self.id = id
        self.projectID = projectID
        self.displayName = displayName
        self.rows = rows
    }
}
