/// How much an app keeps of events that the server does not have yet. The oldest segments are removed first.
struct JournalLimits: Sendable {
    /// The most bytes that all segments together may have when another one begins: 2 MiB.
    var bytes: UInt64 = 2 << 20
    /// The most segments. Each start of a program without a connection leaves one.
    var segments = 1000
    /// More bytes than any writer puts into a segment.
    static let segmentBytes = 1 << 20
}
