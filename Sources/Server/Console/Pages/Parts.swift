import Foundation
import HearthWire

/// A table with a caption, in a box that scrolls sideways on narrow screens.
struct DataTable {
    private let title: String
    private let columns: [String]
    private let showsTitle: Bool

    /// - Parameter showsTitle: whether everyone sees the caption; screen readers always read it.
    init(_ title: String, _ columns: [String], showsTitle: Bool = false) {
        self.title = title
        self.columns = columns
        self.showsTitle = showsTitle
    }

    /// - Parameter cells: as many as there are columns; the first one names the row.
    func rows<Item>(_ items: [Item], _ cells: (Item) throws -> [Markup]) rethrows -> Markup {
        let rows = try items.map(cells)
        return div(.class("scroll"), Attribute("role", "region"), .label(title), Attribute("tabindex", "0")) {
            table {
                caption(.class(showsTitle ? "" : "hidden")) { title }
                thead { tr { columns.map { column in th { column } } } }
                tbody {
                    rows.map { cells in
                        tr {
                            if let first = cells.first { rowHead { first } }
                            cells.dropFirst().map { cell in td { cell } }
                        }
                    }
                }
            }
        }
    }
}

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

/// Numbers for people.
enum Figures {
    /// `1,234,567`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// `3.4 MB`, with decimal units.
    static func bytes(_ count: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(count), 0)
        while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return unit == 0 ? "\(count) bytes" : "\(decimal(value, value < 10 ? 1 : 0)) \(units[unit])"
    }

    /// `12.5 %` of a share from 0 to 1.
    static func percent(_ share: Double, _ digits: Int = 1) -> String { "\(decimal(share * 100, digits)) %" }

    /// With a point, and at most so many digits behind it.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "–" }
        var text = String(format: "%.\(digits)f", value)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") {
            let wasPoint = text.hasSuffix(".")
            text.removeLast()
            if wasPoint { break }
        }
        return text == "-0" ? "0" : text
    }
}

/// A short word with a colour that says whether all is well. The word says the same as the colour.
enum Badge {
    enum Kind: String { case good, warning, bad, neutral }

    static func mark(_ text: String, _ kind: Kind) -> Markup { span(.class("badge \(kind.rawValue)")) { text } }
}

/// A labelled field of a form, with a hint below it.
enum Field {
    static func text(
        _ name: String, _ title: String, value: String = "", hint: String? = nil, _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint) { described in
            .element(
                "input", [.id(name), .name(name), .type("text"), .value(value)] + attributes + described, nil)
        }
    }

    static func number(
        _ name: String, _ title: String, value: String = "", hint: String? = nil, _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint) { described in
            .element(
                "input",
                [.id(name), .name(name), .type("text"), Attribute("inputmode", "decimal"), .value(value)]
                    + attributes + described, nil)
        }
    }

    static func area(
        _ name: String, _ title: String, value: String = "", rows: Int = 4, hint: String? = nil,
        _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint) { described in
            .element(
                "textarea",
                [.id(name), .name(name), Attribute("rows", "\(rows)"), Attribute("spellcheck", "false")] + attributes
                    + described, .text("\n" + value))
        }
    }

    static func choice(
        _ name: String, _ title: String, _ options: [(value: String, text: String)], selected: String,
        hint: String? = nil
    ) -> Markup {
        block(name, title, hint) { described in
            .element(
                "select", [.id(name), .name(name)] + described,
                .joined { options.map { option($0.value, $0.text, isSelected: $0.value == selected) } })
        }
    }

    static func check(_ name: String, _ title: String, isSet: Bool = false, hint: String? = nil) -> Markup {
        div(.class("field check")) {
            Markup.element(
                "input",
                [.id(name), .name(name), .type("checkbox"), .value("yes"), Attribute("checked", if: isSet)]
                    + described(name, hint), nil)
            label(for: name) { title }
            if let hint { small(.id("\(name)-hint")) { hint } }
        }
    }

    private static func described(_ name: String, _ hint: String?) -> [Attribute] {
        hint == nil ? [] : [Attribute("aria-describedby", "\(name)-hint")]
    }

    private static func block(
        _ name: String, _ title: String, _ hint: String?, _ control: ([Attribute]) -> Markup
    ) -> Markup {
        div(.class("field")) {
            label(for: name) { title }
            control(described(name, hint))
            if let hint { small(.id("\(name)-hint")) { hint } }
        }
    }
}
