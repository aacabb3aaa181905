/// The rules of the sample of installations that each version of a model has.
///
/// The sample of a version has the installations whose hash, a random number from 0 to `Int64.max`, is at most
/// `Int64.max >> shift`. It begins with shift 0, that is, with all. The shift grows by one when there are more than
/// `rowLimit`, which removes about half.
package enum AdoptionSample {
    /// The most rows of a version. After the limit is exceeded, about half remain.
    package static let rowLimit = 262_144
    /// For how many days an installation counts after it was seen.
    package static let days: Int64 = 28
    /// The windows of days that are reported, with today as the last day.
    package static let windows: [Int64] = [1, 7, 28]
    /// Named no version of the model.
    package static let none = 0
    /// Named bytes that no version of the model has.
    package static let other = -1

    /// Installations above it are not in the sample.
    package static func highest(shift: Int) -> Int64 { Int64.max >> Int64(min(max(shift, 0), 62)) }

    /// The shift for a version with less than an eighth of the limit left, so that the sample may grow to a quarter.
    /// Others keep their shift.
    package static func lowered(shift: Int, rows: Int, rowLimit: Int) -> Int {
        guard rows < rowLimit / 8 else { return shift }
        var (shift, rows) = (shift, max(rows, 1))
        while shift > 0, rows * 2 <= rowLimit / 4 {
            shift -= 1
            rows *= 2
        }
        return shift
    }
}
