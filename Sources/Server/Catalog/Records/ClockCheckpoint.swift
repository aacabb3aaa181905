/// What the server's clocks said when they were last written down, in microseconds since 1970.
package struct ClockCheckpoint: Sendable, Hashable {
    /// The time up to which planned ends had passed.
    package var passedMicroseconds: Int64
    /// The time by which tokens and links were signed.
    package var signedMicroseconds: Int64

    package init(passedMicroseconds: Int64, signedMicroseconds: Int64) {
        self.passedMicroseconds = passedMicroseconds
        self.signedMicroseconds = signedMicroseconds
    }
}
