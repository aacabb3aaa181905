/// What both of a machine's clocks say at one moment.
public struct ClockReading: Sendable, Hashable {
    /// The time of day, in microseconds since 1970. It can be set, and be wrong.
    public var wallMicroseconds: Int64
    /// Microseconds since some moment of this run of the machine. Nobody can set it.
    public var steadyMicroseconds: Int64

    public init(wallMicroseconds: Int64, steadyMicroseconds: Int64) {
        self.wallMicroseconds = wallMicroseconds
        self.steadyMicroseconds = steadyMicroseconds
    }

    /// What the time of day is ahead of the other clock: the same at all moments, unless the clock is set.
    var offset: Int64 { wallMicroseconds &- steadyMicroseconds }
}
