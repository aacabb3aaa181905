import HearthCatalog

/// A share of the devices in per cent, as people read and write it.
enum SharePercent {
    /// `10 %`, of a share from 0 to 1.
    static func text(_ share: Double) -> String { "\(number(share)) %" }

    /// `10`, for a field.
    static func number(_ share: Double) -> String { NumberText.decimal(share * 100, 4) }

    /// Reads `10`, `10 %` and `0,5`: per cent.
    ///
    /// - Throws: `APIFailure` for another text.
    static func read(_ text: String, _ what: String) throws -> Double {
        do throws(ShareText.Malformed) {
            return Double(try ShareText.millionths(text, plain: .percent)) / 1_000_000
        } catch {
            throw APIFailure(status: 400, message: "\(what) cannot be ‘\(text.prefix(40))’: \(error.advice).")
        }
    }
}
