import HearthWire

/// Names that people chose.
enum UserText {
    /// On one line, for places that show no markup; cut.
    static func shown(_ text: String) -> String {
        let cut = ConfigValueView.cut(text, 100)
        return (cut ?? text).printable + (cut == nil ? "" : "…")
    }

    static func label(_ text: String) -> Markup { .text(shown(text)) }

    /// A text as it comes back from a form's field: browsers send CR LF for every line break, and control characters are
    /// shown as a replacement character. A field that came back like this was not changed.
    static func roundTrip(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            defer { wasReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where wasReturn: continue
            case 0x0D: result.append("\n")
            case 0x09, 0x0A: result.append(scalar)
            case ..<0x20, 0x7F: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// What a form's field says: the present text if the field was not changed, so that nothing is lost on the way.
    static func sent(_ field: String, present: String?) -> String {
        let text = roundTrip(field)
        guard let present, roundTrip(present) == text else { return text }
        return present
    }

    /// Whether a form cannot show the text exactly.
    static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
    }
}
