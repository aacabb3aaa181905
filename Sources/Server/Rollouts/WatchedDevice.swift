import HearthCatalog

/// What is kept about a device that takes part in a watch, or may do so.
struct WatchedDevice: Sendable, Hashable {
    /// In the draw of the release.
    var place: Int
    /// The number of the share at which it entered; nil while it waits for conditions to download.
    var entered: UInt8?
    /// The call that decided about it.
    var firstCall: Int64
    var lastCall: Int64
    /// At which share it first called without waiting for conditions, as far as is known for the present one, and when.
    var readyStage: UInt8 = 0
    var readySince: Int64 = 0
    /// Since when it has had the version, in seconds since 1970; 0 before it has named or reported it.
    var since: Int64 = 0
    /// A part of the hash of the version that it named last, if that was the one that the server chose.
    var tag: UInt16 = 0
    /// How often in a row it returned without its version, and how often in all before it had the version.
    var without: UInt8 = 0
    var untaken: UInt8 = 0
    /// The first report of the present `returnSeconds`, and the guards that it was a trial of since then, a bit each.
    var reportsSince: Int64 = 0
    var reported: UInt8 = 0
    /// A bit per guard, in the order of `Guard.rates`.
    var failed: UInt8 = 0
    /// Which guards count the device: the lower four bits for the baseline, the others for the version's arm.
    var counted: UInt8 = 0
    var marks: Marks = []
    /// The guards that it was a trial of since it could take the version at the present share, a bit each.
    var tried: UInt8 = 0
    /// What it adds to the test of times.
    var time = TimeTest.Part()

    struct Marks: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let hasReported = Marks(rawValue: 1)
        /// It took the version soon after it could.
        static let isPrompt = Marks(rawValue: 2)
        /// It said that it rejected the version.
        static let hasRejected = Marks(rawValue: 4)
        /// It said that it has no room for the version.
        static let lacksStorage = Marks(rawValue: 8)
        /// A time of the version, the first of which is left out, was reported.
        static let hasVersionTime = Marks(rawValue: 16)
    }

    init(place: Int, atSeconds now: Int64) {
        self.place = place
        firstCall = now
        lastCall = 0
    }

    /// The number of returns without the version that show that a device takes no version.
    static let returnsUntaken: UInt8 = 2

    var hasVersion: Bool { since > 0 }
    /// Whether it came back several times and never had the version.
    var neverTakes: Bool { !hasVersion && untaken >= Self.returnsUntaken }
}
