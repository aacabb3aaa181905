import Glibc
import HearthIdentity
import HearthWire

extension ClockReading {
    /// This moment, by the machine's clocks. The steady one goes on while the machine sleeps.
    static var now: ClockReading {
        ClockReading(
            wallMicroseconds: microseconds(CLOCK_REALTIME), monotonicMicroseconds: microseconds(CLOCK_BOOTTIME))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension Timestamp {
    /// This moment, by the machine's clock.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
