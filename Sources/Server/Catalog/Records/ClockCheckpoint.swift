/// The server's clocks when they were last stored, in microseconds since 1970.
package struct ClockCheckpoint: Sendable, Hashable {
    /// The time up to which planned ends had passed.
    package var passedMicroseconds: Int64
    /// The time with which tokens and links were signed.
    package var signedMicroseconds: Int64

    package init(passedMicroseconds: Int64, signedMicroseconds: Int64) {
        self.passedMicroseconds = passedMicroseconds
        self.signedMicroseconds = signedMicroseconds
    }
}
