package import HearthCatalog
import HearthConcurrency
import Synchronization

/// The server's clocks, for all threads. Reading the moment takes no lock.
package final class ServerClock: Sendable {
    /// The present moment in microseconds since 1970, by each of the clocks of `ClockMonitor`.
    package struct Moment: Sendable, Hashable {
        /// The time of day, for the times in records and answers.
        package var wallMicroseconds: Int64
        /// A key or token whose end is at or before this moment has ended.
        package var expiryMicroseconds: Int64
        /// Tokens and links are signed and expire by this clock.
        package var signingMicroseconds: Int64
        /// Microseconds since some moment of this run of the machine.
        package var monotonicMicroseconds: Int64

        /// One moment by all clocks.
        package init(microseconds: Int64) {
            self.init(
                wallMicroseconds: microseconds, expiryMicroseconds: microseconds, signingMicroseconds: microseconds,
                monotonicMicroseconds: microseconds)
        }

        package init(
            wallMicroseconds: Int64, expiryMicroseconds: Int64, signingMicroseconds: Int64, monotonicMicroseconds: Int64
        ) {
            self.wallMicroseconds = wallMicroseconds
            self.expiryMicroseconds = expiryMicroseconds
            self.signingMicroseconds = signingMicroseconds
            self.monotonicMicroseconds = monotonicMicroseconds
        }

        package var signingSeconds: Int64 {
            let (seconds, rest) = signingMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return rest < 0 ? seconds - 1 : seconds
        }
    }

    private let read: @Sendable () -> ClockReading
    private let watch: Lock<ClockMonitor>
    // The monitor's offsets, for callers that must not wait for its lock.
    private let passingOffset: Atomic<Int64>
    private let signingOffset: Atomic<Int64>
    private let jumpCount = Atomic<UInt64>(0)

    package init(_ read: @escaping @Sendable () -> ClockReading) {
        self.read = read
        let watch = ClockMonitor(read())
        self.watch = Lock(watch)
        passingOffset = Atomic(watch.passingOffset)
        signingOffset = Atomic(watch.signingOffset)
    }

    /// A clock without a second one to compare it with: all clocks show `wallMicroseconds`.
    package convenience init(wallMicroseconds: @escaping @Sendable () -> Int64) {
        self.init { () -> ClockReading in
            let now = wallMicroseconds()
            return ClockReading(wallMicroseconds: now, monotonicMicroseconds: now)
        }
    }

    package var moment: Moment {
        let reading = read()
        func latest(_ offset: borrowing Atomic<Int64>) -> Int64 {
            max(reading.wallMicroseconds, reading.monotonicMicroseconds &+ offset.load(ordering: .relaxed))
        }
        return Moment(
            wallMicroseconds: reading.wallMicroseconds, expiryMicroseconds: latest(passingOffset),
            signingMicroseconds: latest(signingOffset), monotonicMicroseconds: reading.monotonicMicroseconds)
    }

    /// How many jumps were seen since the start.
    package var jumps: UInt64 { jumpCount.load(ordering: .relaxed) }

    /// Continues from the stored clocks. Call it before any caller reads the moment.
    package func begin(_ mark: ClockCheckpoint?) {
        watch.withLock { watch in
            watch = ClockMonitor(read(), mark: mark)
            publish(watch)
        }
    }

    /// Checks the clocks, and calls `write` to store what has ended. To be called about once a second, by one thread.
    ///
    /// - Parameters:
    ///   - isLast: whether the clocks are stored in any case, as before the program exits.
    ///   - write: gets the time up to which planned ends have passed, the monotonic time, whether the time of day is
    ///     trusted, and the clocks to store, if that is due. If it throws, the next check repeats all of it.
    /// - Returns: the jump since the last check, if there was one.
    package func look(
        isLast: Bool = false,
        write: (
            _ passedMicroseconds: Int64, _ steadyMicroseconds: Int64, _ isBelieved: Bool, ClockCheckpoint?
        ) throws -> Void
    ) -> (jump: ClockMonitor.Jump?, failure: (any Error)?) {
        let reading = read()
        let (jump, passed, isBelieved, mark) = watch.withLock { watch in
            let jump = watch.look(reading)
            publish(watch)
            return (
                jump, watch.passed(reading), !watch.isSuspect, watch.mark(reading, isDue: isLast || jump != nil)
            )
        }
        if jump != nil { jumpCount.add(1, ordering: .relaxed) }
        do {
            try write(passed, reading.monotonicMicroseconds, isBelieved, mark)
        } catch {
            return (jump, error)
        }
        watch.withLock { watch in
            watch.settle(reading, hasMarked: mark != nil)
            publish(watch)
        }
        return (jump, nil)
    }

    private func publish(_ watch: borrowing ClockMonitor) {
        passingOffset.store(watch.passingOffset, ordering: .relaxed)
        signingOffset.store(watch.signingOffset, ordering: .relaxed)
    }
}
