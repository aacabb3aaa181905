/// The fields of a form or a query, in order.
struct FormFields: Sendable {
    private let items: [(name: String, value: String)]

    init(_ items: [(name: String, value: String)] = []) { self.items = items }

    /// The field without the blanks around it; empty if it was not sent.
    subscript(name: String) -> String { items.first { $0.name == name }.map { Self.trimmed($0.value) } ?? "" }

    /// The field exactly as sent; nil if it was not.
    func raw(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of a field that may repeat, as sent.
    func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The field; nil if it was not sent, or is empty.
    func text(_ name: String) -> String? {
        let value = self[name]
        return value.isEmpty ? nil : value
    }

    /// Whether a checkbox was set.
    func isSet(_ name: String) -> Bool { raw(name) != nil }

    /// A copy with other values for these fields.
    func replacing(_ values: [(name: String, value: String)]) -> FormFields {
        let names = Set(values.map(\.name))
        return FormFields(items.filter { !names.contains($0.name) } + values)
    }

    /// All fields as sent, without these.
    func without(_ names: Set<String>) -> [(name: String, value: String)] { items.filter { !names.contains($0.name) } }

    /// Whether any field was sent.
    var isEmpty: Bool { items.isEmpty }

    /// - Throws: `APIFailure` unless the field is empty or a whole number.
    func number(_ name: String, _ what: String) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text) else {
            throw APIFailure(status: 400, message: "\(what) must be a whole number, not '\(text.prefix(50))'.")
        }
        return number
    }

    /// - Throws: `APIFailure` unless the field is empty or a number.
    func decimal(_ name: String, _ what: String) throws -> Double? {
        guard let text = text(name) else { return nil }
        // Larger ones mean nothing in any field, and would not fit the numbers that are made of them.
        guard let number = Double(text.replacing(",", with: ".")), number.magnitude <= 1e12 else {
            throw APIFailure(status: 400, message: "\(what) must be a number, not '\(text.prefix(50))'.")
        }
        return number
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
