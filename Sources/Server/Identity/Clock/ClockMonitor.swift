import Glibc
package import HearthCatalog

/// Decides which times count after the time of day was set, forward or back. It takes readings and returns decisions.
/// No I/O.
///
/// - The *passing* clock decides whether planned ends of keys and tokens have passed. It follows the time of day. It
///   goes back only after all that had ended by it was stored as ended. It follows a jump forward only after that has
///   lasted for a while: a clock that is wrong for a moment ends nothing for good.
/// - The *signing* clock dates tokens and links, and decides whether they have expired. It never goes back by more than
///   a jump's length, even if the time of day was far ahead before: then it signs with times in the future, and what it
///   signs is valid for as long as ever.
package struct ClockMonitor: Sendable {
    /// A change of the time of day that is too large for a correction.
    package struct Jump: Sendable, Hashable {
        /// What the clock would show without the jump.
        package var fromMicroseconds: Int64
        package var toMicroseconds: Int64

        package init(fromMicroseconds: Int64, toMicroseconds: Int64) {
            self.fromMicroseconds = fromMicroseconds
            self.toMicroseconds = toMicroseconds
        }
    }

    /// The time of day may change by this much between two checks; more is a jump.
    package static let jumpSeconds: Int64 = 10
    /// How long a time in the future must last before it is trusted: after a jump, and at a start more than a jump's
    /// length after the stored clocks. A server that was stopped for a while cannot be distinguished from a wrong
    /// clock.
    package static let settlingSeconds: Int64 = 600
    /// How often the clocks are stored when nothing else happens.
    package static let markSeconds: Int64 = 600

    /// Microseconds by which the passing clock is ahead of the monotonic one.
    package private(set) var passingOffset: Int64
    /// Microseconds by which the signing clock is ahead of the monotonic one.
    package private(set) var signingOffset: Int64
    /// The offset of the last reading.
    private var offset: Int64
    /// On the monotonic clock. A time in the future is not trusted before this moment.
    private var suspectUntil: Int64?
    /// Whether the time of day is in the future of the stored clocks, and may be wrong.
    package var isSuspect: Bool { suspectUntil != nil }
    private var markedAt: Int64?

    /// - Parameter mark: the clocks as stored last; nil if they never were. Then the time of day is trusted.
    package init(_ reading: ClockReading, mark: ClockCheckpoint? = nil) {
        offset = reading.offset
        let known = mark?.passedMicroseconds ?? reading.wallMicroseconds
        let isAhead = reading.wallMicroseconds > known && Self.isJump(from: known, to: reading.wallMicroseconds)
        if isAhead { suspectUntil = reading.monotonicMicroseconds &+ Self.micro(Self.settlingSeconds) }
        let steady = reading.monotonicMicroseconds
        passingOffset = (isAhead ? known : max(known, reading.wallMicroseconds)) &- steady
        let signed = mark?.signedMicroseconds ?? reading.wallMicroseconds
        signingOffset = (isAhead ? signed : max(signed, reading.wallMicroseconds)) &- steady
    }

    /// Takes the next reading. To be called often: planned ends take effect at the next check.
    ///
    /// - Returns: the jump since the last reading, if there was one.
    package mutating func look(_ reading: ClockReading) -> Jump? {
        let before = offset
        offset = reading.offset
        let jumped = Self.isJump(from: before, to: offset)
        if jumped {
            let isAhead = offset > passingOffset && Self.isJump(from: passingOffset, to: offset)
            suspectUntil = isAhead ? reading.monotonicMicroseconds &+ Self.micro(Self.settlingSeconds) : nil
        }
        if let until = suspectUntil, reading.monotonicMicroseconds >= until { suspectUntil = nil }
        if suspectUntil == nil {
            // A small step back is the usual correction of a clock.
            if offset > passingOffset || !Self.isJump(from: offset, to: passingOffset) { passingOffset = offset }
            if offset > signingOffset || !Self.isJump(from: offset, to: signingOffset) { signingOffset = offset }
        }
        guard jumped else { return nil }
        return Jump(
            fromMicroseconds: reading.monotonicMicroseconds &+ before, toMicroseconds: reading.wallMicroseconds)
    }

    /// The moment of the passing clock: all that was planned to end at or before it has ended.
    package func passed(_ reading: ClockReading) -> Int64 { reading.monotonicMicroseconds &+ passingOffset }

    /// The clocks to store; nil if they were stored not long ago.
    package func mark(_ reading: ClockReading, isDue always: Bool = false) -> ClockCheckpoint? {
        let last = markedAt.map { reading.monotonicMicroseconds &- $0 } ?? .max
        guard always || last >= Self.micro(Self.markSeconds) || passingOffset > offset else { return nil }
        return ClockCheckpoint(
            passedMicroseconds: passed(reading), signedMicroseconds: reading.monotonicMicroseconds &+ signingOffset)
    }

    /// Call it after all that had ended by `passed` is stored, and the checkpoint if there was one. Then the passing
    /// clock may go back to the time of day.
    package mutating func settle(_ reading: ClockReading, hasMarked: Bool) {
        if hasMarked { markedAt = reading.monotonicMicroseconds }
        passingOffset = min(passingOffset, offset)
    }

    private static func isJump(from: Int64, to: Int64) -> Bool {
        let (difference, isBeyondAll) = to.subtractingReportingOverflow(from)
        return isBeyondAll || difference.magnitude > UInt64(micro(jumpSeconds))
    }

    private static func micro(_ seconds: Int64) -> Int64 { seconds * 1_000_000 }
}

/// The machine's two clocks at one moment.
package struct ClockReading: Sendable, Hashable {
    /// The time of day, in microseconds since 1970. It can be set, and be wrong.
    package var wallMicroseconds: Int64
    /// Microseconds since some moment of this run of the machine. It cannot be set.
    package var monotonicMicroseconds: Int64

    package init(wallMicroseconds: Int64, monotonicMicroseconds: Int64) {
        self.wallMicroseconds = wallMicroseconds
        self.monotonicMicroseconds = monotonicMicroseconds
    }

    /// This moment, by the machine's clocks. The monotonic one runs on while the machine sleeps.
    package static var now: ClockReading {
        ClockReading(
            wallMicroseconds: microseconds(CLOCK_REALTIME), monotonicMicroseconds: microseconds(CLOCK_BOOTTIME))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// How far the time of day is ahead of the monotonic clock: constant, unless the time of day is set.
    var offset: Int64 { wallMicroseconds &- monotonicMicroseconds }
}
