/// What a guarded release watches. Each guard compares the devices that got the version with devices that the draw left
/// on the baseline.
package enum Guard: String, Sendable, Hashable, CaseIterable, Codable {
    /// Devices that were offered the version, and came back naming another one or none. Needs no reports.
    case returnedWithout = "returned-without"
    /// Devices on which the version could not be loaded.
    case loadFailures = "load-failures"
    /// Devices on which a process ended while the version ran.
    case crashes
    /// Devices on which a run gave no result.
    case failedRuns = "failed-runs"
    /// The time of a run, per device.
    case runTime = "run-time"

    /// The guards that count devices; all but `runTime`.
    package static let rates: [Guard] = [.returnedWithout, .loadFailures, .crashes, .failedRuns]
}

/// How the server watches a release that reaches a share of the devices, and what it does by itself.
package struct ReleaseGuarding: Sendable, Hashable, Codable {
    /// What happens to the release when a guard finds harm.
    package enum Response: String, Sendable, Hashable, Codable, CaseIterable {
        /// No further devices get it; devices that have its version keep it.
        case pause
        /// It ends, so that its devices get the fallback release again.
        case rollback
    }

    /// Why the server stopped the release.
    package struct Stop: Sendable, Hashable, Codable {
        package var guarded: Guard
        package var atMicroseconds: Int64
        /// The numbers, for people.
        package var reason: String

        package init(guarded: Guard, atMicroseconds: Int64, reason: String) {
            self.guarded = guarded
            self.atMicroseconds = atMicroseconds
            self.reason = reason
        }
    }

    /// The shares through which the release goes by itself, in millionths, growing. Empty: the server changes no share.
    package var plan: [Int]
    /// How long a device must have had the version before it counts as sound, and how long each share of the plan lasts
    /// at least.
    package var holdSeconds: Int64
    package var response: Response
    /// Guards that do not stop the release.
    package var off: Set<Guard>
    /// Since when the release has its present share.
    package var shareSinceMicroseconds: Int64
    /// The largest share, in millionths, that the release had before its share or its guards were last changed; nil if they
    /// never were.
    package var offeredMillionths: Int?
    /// Nil unless a guard stopped the release.
    package var stop: Stop?

    package static let standardHoldSeconds: Int64 = 7200
    /// A minute to 30 days.
    package static let holdRange: ClosedRange<Int64> = 60...2_592_000

    package init(
        plan: [Int] = [], holdSeconds: Int64 = ReleaseGuarding.standardHoldSeconds, response: Response = .pause,
        off: Set<Guard> = [], shareSinceMicroseconds: Int64 = 0
    ) {
        self.plan = plan
        self.holdSeconds = holdSeconds
        self.response = response
        self.off = off
        self.shareSinceMicroseconds = shareSinceMicroseconds
    }

    /// The guards that may stop the release.
    package var guards: [Guard] { Guard.allCases.filter { !off.contains($0) } }

    /// Whether both ask for the same, whatever has happened since.
    package func isSame(as other: ReleaseGuarding) -> Bool {
        plan == other.plan && holdSeconds == other.holdSeconds && response == other.response && off == other.off
    }
}
