import Glibc

/// A moment after which a test gives up.
package struct Deadline {
    private let end: ContinuousClock.Instant

    package init(seconds: Double) { end = ContinuousClock.now + .seconds(seconds) }

    package var secondsLeft: Double {
        let left = end - ContinuousClock.now
        return max(0, Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18)
    }

    /// Looks again and again until `condition` holds; false when it did not in time.
    package static func wait(
        seconds: Double = 30, everyMicroseconds pause: UInt32 = 2000, for condition: () throws -> Bool
    ) rethrows -> Bool {
        let deadline = Deadline(seconds: seconds)
        while try !condition() {
            guard deadline.secondsLeft > 0 else { return false }
            usleep(pause)
        }
        return true
    }
}
