/// A share of the devices in per cent, as people read and write it.
enum Share {
    /// `10 %`, of a share from 0 to 1.
    static func text(_ share: Double) -> String { "\(number(share)) %" }

    /// `10`, for a field.
    static func number(_ share: Double) -> String { NumberText.decimal(share * 100, 4) }

    /// Reads `10`, `10 %` and `0,5`: per cent.
    ///
    /// - Throws: `APIFailure` for another text.
    static func read(_ text: String, _ what: String) throws -> Double {
        let plain = text.filter { !$0.isWhitespace && $0 != "%" }.replacing(",", with: ".")
        guard let percent = Double(plain), (0...100).contains(percent) else {
            throw APIFailure(
                status: 400, message: "\(what) must be a number of per cent from 0 to 100, such as 10 or 0.5.")
        }
        return (percent * 10_000).rounded() / 1_000_000
    }
}
