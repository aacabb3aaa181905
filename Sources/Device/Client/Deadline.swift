/// The moment by which a call must be over, by the device's clock.
package struct Deadline: Sendable {
    private let clock: any DeviceClock
    private let end: Double

    /// - Parameter seconds: From now on.
    package init(seconds: Double, clock: any DeviceClock) {
        self.clock = clock
        end = clock.uptime() + seconds
    }

    /// The remaining seconds; zero or less when the deadline has passed.
    package var remainingSeconds: Double { end - clock.uptime() }

    /// Also true when the remaining time is not a number.
    package var hasPassed: Bool { !(remainingSeconds > 0) }
}
