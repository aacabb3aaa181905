/// The moment by which a call must be over, by the device's clock.
package struct Deadline: Sendable {
    private let clock: any DeviceClock
    private let end: Double

    /// - Parameter seconds: From now on.
    package init(seconds: Double, clock: any DeviceClock) {
        self.clock = clock
        end = clock.uptime() + seconds
    }

    /// Zero or less when it has passed.
    package var remainingSeconds: Double { end - clock.uptime() }

    /// True also for a time that is not a number.
    package var hasPassed: Bool { !(remainingSeconds > 0) }
}
