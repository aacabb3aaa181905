package import HearthCatalog
import Synchronization

/// The server's clocks, for any thread. Asking for the moment takes no lock.
package final class ServerClock: Sendable {
    /// The present moment in microseconds since 1970, by each of the clocks that `ClockMonitor` tells of.
    package struct Moment: Sendable, Hashable {
        /// The time of day: when records were made, and what people are told.
        package var wallMicroseconds: Int64
        /// A key or token whose end is this or earlier has ended.
        package var expiryMicroseconds: Int64
        /// Tokens and links are signed and expire by it.
        package var signingMicroseconds: Int64
        /// Since some moment of this run of the machine.
        package var monotonicMicroseconds: Int64

        /// All alike.
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
    private let watch: Mutex<ClockMonitor>
    // The watch's offsets, for those who must not wait.
    private let passingOffset: Atomic<Int64>
    private let signingOffset: Atomic<Int64>
    private let jumpCount = Atomic<UInt64>(0)

    package init(_ read: @escaping @Sendable () -> ClockReading) {
        self.read = read
        let watch = ClockMonitor(read())
        self.watch = Mutex(watch)
        passingOffset = Atomic(watch.passingOffset)
        signingOffset = Atomic(watch.signingOffset)
    }

    /// A clock with nothing to compare it with: all three are `wallMicroseconds`.
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

    /// Jumps seen since the start.
    package var jumps: UInt64 { jumpCount.load(ordering: .relaxed) }

    /// Goes on from what was written down. Before anybody asks for the moment.
    package func begin(_ mark: ClockCheckpoint?) {
        watch.withLock { watch in
            watch = ClockMonitor(read(), mark: mark)
            publish(watch)
        }
    }

    /// Looks at the clocks, and has `write` make facts of what has ended. To be called every second or so, by one thread.
    ///
    /// - Parameters:
    ///   - isLast: whether the clocks are written down in any case, as before the end of the program.
    ///   - write: is given the time up to which planned ends have passed, the steady clock's, whether the time of day is believed, and
    ///     what to write down of the clocks, if that is due. When it throws, all is tried again the next time.
    /// - Returns: the jump since the last look, if there was one.
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
