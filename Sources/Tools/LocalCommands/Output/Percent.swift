/// Shares of one for people.
enum Percent {
    /// `share` in percent with one decimal, as wide as 100 %. Quicker than Foundation's formatting, which loads a lot first.
    static func text(_ share: Float) -> String {
        guard share.isFinite, abs(share) < 1000 else { return "    ? %" }
        let tenths = Int((Double(share) * 1000).rounded(.toNearestOrEven))
        let number = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        return String(repeating: " ", count: max(0, 5 - number.utf8.count)) + number + " %"
    }
}
