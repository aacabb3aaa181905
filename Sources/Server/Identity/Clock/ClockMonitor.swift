import Glibc
package import HearthCatalog

/// Which times count after the time of day was set, forward or back: readings in, decisions out. No I/O.
///
/// - By the *passing* clock planned ends of keys and tokens pass. It follows the time of day. It goes back only after all
///   that had ended by it was written down as ended. It follows a jump forward when that has lasted for a while: a clock
///   that is wrong for a moment ends nothing for good.
/// - By the *signing* clock tokens and links are signed and expire. It never goes back by more than a jump's length, also
///   not when the time of day had been far ahead: what it signs is then signed ahead, and good for as long as ever.
package struct ClockMonitor: Sendable {
    package struct Jump: Sendable, Hashable {
        /// What the clock would have said.
        package var fromMicroseconds: Int64
        package var toMicroseconds: Int64

        package init(fromMicroseconds: Int64, toMicroseconds: Int64) {
            self.fromMicroseconds = fromMicroseconds
            self.toMicroseconds = toMicroseconds
        }
    }

    /// The time of day may differ by this much from one look to the next; more is a jump.
    package static let jumpSeconds: Int64 = 10
    /// How long a time that lies ahead has to last before it is believed: after a jump, and at a start that comes later than
    /// by a jump's length after what was written down. A rest of the server looks no different from a wrong clock.
    package static let settlingSeconds: Int64 = 600
    /// How often the clocks are written down when nothing else happens.
    package static let markSeconds: Int64 = 600

    /// Microseconds by which the passing clock is ahead of the steady one.
    package private(set) var passingOffset: Int64
    /// The same of the signing clock.
    package private(set) var signingOffset: Int64
    /// The last reading's.
    private var offset: Int64
    /// On the steady clock: until then a time ahead is not believed.
    private var suspectUntil: Int64?
    /// Whether the time of day lies ahead, and may be wrong.
    package var isSuspect: Bool { suspectUntil != nil }
    private var markedAt: Int64?

    /// - Parameter mark: what was written down last; nil where nothing ever was, and the time of day is believed.
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

    /// Takes the next reading. To be called often: a planned end is a fact from the next look on.
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

    /// By now all has ended whose planned end is this or earlier.
    package func passed(_ reading: ClockReading) -> Int64 { reading.monotonicMicroseconds &+ passingOffset }

    /// What to write down. Nil when it was written not long ago.
    package func mark(_ reading: ClockReading, isDue always: Bool = false) -> ClockCheckpoint? {
        let last = markedAt.map { reading.monotonicMicroseconds &- $0 } ?? .max
        guard always || last >= Self.micro(Self.markSeconds) || passingOffset > offset else { return nil }
        return ClockCheckpoint(
            passedMicroseconds: passed(reading), signedMicroseconds: reading.monotonicMicroseconds &+ signingOffset)
    }

    /// All that had ended by `passed` is written down, and so is the mark where there was one: the passing clock may go
    /// back to the time of day.
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

/// What both of a machine's clocks say at one moment.
package struct ClockReading: Sendable, Hashable {
    /// The time of day, in microseconds since 1970. It can be set, and be wrong.
    package var wallMicroseconds: Int64
    /// Microseconds since some moment of this run of the machine. Nobody can set it.
    package var monotonicMicroseconds: Int64

    package init(wallMicroseconds: Int64, monotonicMicroseconds: Int64) {
        self.wallMicroseconds = wallMicroseconds
        self.monotonicMicroseconds = monotonicMicroseconds
    }

    /// This moment, by the machine's clocks. The steady one goes on while the machine sleeps.
    package static var now: ClockReading {
        ClockReading(
            wallMicroseconds: microseconds(CLOCK_REALTIME), monotonicMicroseconds: microseconds(CLOCK_BOOTTIME))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// What the time of day is ahead of the other clock: the same at all moments, unless the clock is set.
    var offset: Int64 { wallMicroseconds &- monotonicMicroseconds }
}
