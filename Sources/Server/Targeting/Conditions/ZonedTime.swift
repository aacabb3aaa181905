import Foundation

/// A time of the day on a date, as a clock on the wall of some place shows it.
enum ZonedTime {
    enum Malformed: Error {
        case time
        case zone
    }

    /// Microseconds since 1970 of `2017-03-22T13:39:44` in that zone of the IANA database. Of an hour that a change of clocks
    /// skips or repeats, the calendar of Foundation decides.
    static func microseconds(_ text: String, zone name: String) throws(Malformed) -> Int64 {
        guard let zone = TimeZone(identifier: name) else { throw .zone }
        guard let components = components(text) else { throw .time }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { throw .time }
        return Int64(date.timeIntervalSince1970.rounded()) * 1_000_000
    }

    private static func components(_ text: String) -> DateComponents? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let date = numbers(halves[0], "-", [4, 2, 2]),
            let time = numbers(halves[1], ":", [2, 2, 2]), time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        return DateComponents(
            year: date[0], month: date[1], day: date[2], hour: time[0], minute: time[1], second: time[2])
    }

    private static func numbers(_ text: Substring, _ separator: Character, _ digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == digits.count else { return nil }
        var numbers: [Int] = []
        for (part, count) in zip(parts, digits) {
            guard part.utf8.count == count, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
