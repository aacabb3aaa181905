/// What the server's clocks said when they were last written down, in microseconds since 1970.
public struct ClockCheckpoint: Sendable, Hashable {
    /// The time up to which planned ends had passed.
    public var passedMicroseconds: Int64
    /// The time by which tokens and links were signed.
    public var signedMicroseconds: Int64

    public init(passedMicroseconds: Int64, signedMicroseconds: Int64) {
        self.passedMicroseconds = passedMicroseconds
        self.signedMicroseconds = signedMicroseconds
    }
}
