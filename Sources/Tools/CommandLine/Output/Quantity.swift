/// How many of something, for people.
enum Quantity {
    /// - Parameter noun: one of them, in English; its plural ends in `s`.
    static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
