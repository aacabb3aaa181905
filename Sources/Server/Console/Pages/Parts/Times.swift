/// Moments in UTC; the page's script adds the reader's own time.
enum Times {
    /// - Parameter text: RFC 3339.
    static func moment(_ text: String) -> Markup {
        guard text.utf8.count >= 16, text.utf8.contains(UInt8(ascii: "T")) else { return .text(text) }
        return .element(
            "time", [Attribute("datetime", text)],
            .text("\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"))
    }

    static func moment(_ text: String?) -> Markup { text.map { moment($0) } ?? .text("–") }
}
