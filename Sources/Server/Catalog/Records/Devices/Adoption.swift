/// What an installation said when it asked for a model: which version it has, and what it is.
package struct AdoptionSighting: Sendable, Hashable {
    package var modelID: Int64
    /// `InstallationHash` of the installation.
    package var installation: Int64
    /// The first 8 bytes of the SHA-256 that it named; nil if it named none.
    package var named: UInt64?
    /// Empty if it did not say.
    package var system: String
    package var appVersion: String
    /// Days since 1970-01-01, in UTC by the server's clock.
    package var day: Int64

    package init(
        modelID: Int64, installation: Int64, named: UInt64?, system: String, appVersion: String, day: Int64
    ) {
        self.modelID = modelID
        self.installation = installation
        self.named = named
        self.system = system
        self.appVersion = appVersion
        self.day = day
    }
}

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

/// The rules of the sample of installations that each version of a model has.
///
/// The sample of a version has the installations whose hash, a random number from 0 to `Int64.max`, is at most
/// `Int64.max >> shift`. It begins with shift 0, that is, with all. The shift grows by one when there are more than
/// `rowLimit`, which removes about half.
package enum AdoptionSample {
    /// The most rows of a version. After the limit is exceeded, about half remain.
    package static let rowLimit = 262_144
    /// For how many days an installation counts after it was seen.
    package static let days: Int64 = 28
    /// The windows of days that are reported, with today as the last day.
    package static let windows: [Int64] = [1, 7, 28]
    /// Named no version of the model.
    package static let none = 0
    /// Named bytes that no version of the model has.
    package static let other = -1

    /// Installations above it are not in the sample.
    package static func highest(shift: Int) -> Int64 { Int64.max >> Int64(min(max(shift, 0), 62)) }

    /// The shift for a version with less than an eighth of the limit left, so that the sample may grow to a quarter.
    /// Others keep their shift.
    package static func lowered(shift: Int, rows: Int, rowLimit: Int) -> Int {
        guard rows < rowLimit / 8 else { return shift }
        var (shift, rows) = (shift, max(rows, 1))
        while shift > 0, rows * 2 <= rowLimit / 4 {
            shift -= 1
            rows *= 2
        }
        return shift
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
