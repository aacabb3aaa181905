import HearthArguments
import HearthWire

/// A time on the command line. Pure.
enum TimeArgument {
    static let expectation = "a time such as 2026-12-01T09:00Z or 2026-12-01T09:00+01:00, or one from now such as +2h"

    /// Reads `2026-12-01T09:00Z`, with or without seconds, with `Z` or `+01:00` at its end; or `+90m`, `+2h`, `+3d` from `now`. A
    /// time without a zone is refused: it would be another time on each machine.
    static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        if text.hasPrefix("+") {
            guard let seconds = DurationArgument.seconds(text.dropFirst()) else { return nil }
            let micros = seconds.multipliedReportingOverflow(by: 1_000_000)
            let sum = now.microseconds.addingReportingOverflow(micros.partialValue)
            return micros.overflow || sum.overflow ? nil : Timestamp(microseconds: sum.partialValue)
        }
        guard let (clock, offsetMinutes) = zone(text) else { return nil }
        let full = clock.utf8.count == 16 ? clock + ":00" : clock
        guard full.utf8.count == 19, let time = Timestamp(rfc3339: full + "Z") else { return nil }
        return time.adding(seconds: -60 * offsetMinutes)
    }

    /// `2026-12-01T09:00:00Z`, the form in JSON.
    static func wire(_ time: Timestamp) -> String { time.rfc3339(fractionDigits: 0) }

    /// A time from JSON without its seconds, for tables whose heading says UTC.
    static func short(_ wire: String?) -> String {
        guard let wire, wire.utf8.count >= 16 else { return wire ?? "" }
        return String(wire.prefix(16)).replacing("T", with: " ")
    }

    /// The text before the zone, and the zone's minutes east of Greenwich.
    private static func zone(_ text: String) -> (clock: String, minutes: Int64)? {
        if text.hasSuffix("Z") { return (String(text.dropLast()), 0) }
        let tail = Array(text.utf8.suffix(6))
        guard tail.count == 6, tail[3] == UInt8(ascii: ":"),
            [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(tail[0]),
            let hours = digits(tail[1...2]), let minutes = digits(tail[4...5]), hours <= 14, minutes < 60
        else { return nil }
        let sign: Int64 = tail[0] == UInt8(ascii: "-") ? -1 : 1
        return (String(decoding: text.utf8.dropLast(6), as: UTF8.self), sign * (hours * 60 + minutes))
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
