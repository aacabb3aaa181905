import Foundation
import HearthRemoteConfigTemplates

/// Rows that make the usual terms of an expression, for people who do not know its language. It works without script: the
/// page comes back with the terms in the expression.
struct ConditionBuilder {
    /// The value of the button's field `do`.
    static let verb = "build"

    private let fields: FormFields
    private let problem: APIFailure?
    /// Servers evaluate only some of the terms.
    private let isForServers: Bool

    init(_ scope: ConfigScope) {
        fields = scope.sent ?? FormFields()
        problem = scope.request.problem
        isForServers = scope.namespace == .server
    }

    // MARK: The rows

    private static let names = [
        "b-os", "b-version-is", "b-version", "b-country", "b-language", "b-percent", "b-seed", "b-signal",
        "b-signal-is",
        "b-signal-value",
    ]
    private static let systems = [
        ("", "any"), ("ios", "iOS"), ("android", "Android"), ("web", "web"), ("linux", "Linux"), ("macos", "macOS"),
        ("other", "neither iOS nor Android"),
    ]
    private static let comparisons = [
        (">=", "from"), ("<", "below"), ("==", "exactly"), ("<=", "up to"), (">", "above"), ("!=", "other than"),
    ]
    private static let signalComparisons = [
        ("exactlyMatches", "is exactly"), ("contains", "contains"), (">=", "is a number from"),
        ("<", "is a number below"),
    ]

    var markup: Markup {
        let isUsed = Self.names.contains { fields.text($0) != nil && !$0.hasSuffix("-is") } || fields["do"] == Self.verb
        return details(Attribute("open", if: isUsed)) {
            summary { "Put the expression together" }
            p(.class("faint")) {
                "Fill in what you need. All rows must hold, and what the expression says already stays."
            }
            if !isForServers {
                Field.choice("b-os", "Platform", Self.systems, selected: fields["b-os"])
                div(.class("columns")) {
                    Field.choice("b-version-is", "App version is", Self.comparisons, selected: fields["b-version-is"])
                    text("b-version", "Version", "Such as 2.10.0.")
                }
                text("b-country", "Countries", "Codes of two letters, with commas: CH, AT.", list: "countries")
                Field.choices("countries", Self.countries)
                text("b-language", "Languages", "Such as de, pt-BR.", list: "languages")
                Field.choices("languages", Self.languages)
            }
            div(.class("columns")) {
                text("b-percent", "At most this percentage of the installations", "0 to 100, such as 10.")
                text(
                    "b-seed", "Seed of the draw",
                    "Conditions with the same seed draw the same installations. May stay empty.")
            }
            div(.class("columns")) {
                text("b-signal", "Custom signal", "The key that the app sets, such as plan.")
                Field.choice("b-signal-is", "The signal", Self.signalComparisons, selected: fields["b-signal-is"])
                text("b-signal-value", "Value of the signal", "Such as premium.")
            }
            p(.class("actions")) {
                button(.name("do"), .value(Self.verb), Attribute("formnovalidate", if: true)) {
                    "Add to the expression"
                }
            }
        }
    }

    private func text(_ name: String, _ title: String, _ hint: String, list: String? = nil) -> Markup {
        Field.text(
            name, title, value: fields[name], hint: hint, refusal: problem?.refusal(of: name),
            Attribute("maxlength", "300"), Attribute("autocomplete", "off"),
            Attribute("list", list))
    }

    // MARK: The expression

    /// Whether the form was sent to add terms, and not to keep the condition.
    static func isAsked(_ scope: ConfigScope) -> Bool { scope.sent?["do"] == verb }

    /// The fields of the form with the new terms in the expression, and with empty rows.
    ///
    /// - Throws: `APIFailure` for a row that is not complete, or has no meaning.
    func filled() throws -> FormFields {
        let terms = try terms()
        guard !terms.isEmpty else {
            throw APIFailure(status: 400, message: "Fill in a row of ‘Put the expression together’ first.")
        }
        let old = fields["expression"]
        let all = (old.isEmpty || old == "true" ? [] : [old]) + terms
        return fields.replacing(
            [("expression", all.joined(separator: " && "))] + Self.names.map { ($0, "") })
    }

    /// Refuses a form with a row that was filled in and not added: it would be lost.
    func checkNothingIsLost() throws {
        guard let name = Self.names.first(where: { fields.text($0) != nil && !$0.hasSuffix("-is") }) else { return }
        throw APIFailure.field(
            name, "This row is not part of the expression yet. Press ‘Add to the expression’, or empty the row.")
    }

    private func terms() throws -> [String] {
        var terms: [String] = []
        if !isForServers {
            switch fields["b-os"] {
            case "": break
            case "other": terms += ["device.os != 'ios'", "device.os != 'android'"]
            case let name: terms.append("device.os == \(Self.quoted(name))")
            }
            if let version = fields.text("b-version") { terms.append(try versionTerm(version)) }
            if let term = try list("b-country", "device.country", { $0.uppercased() }, isCountry) { terms.append(term) }
            if let term = try list("b-language", "device.language", { $0 }, isLanguage) { terms.append(term) }
        }
        if let term = try percentTerm() { terms.append(term) }
        if let term = try signalTerm() { terms.append(term) }
        return terms
    }

    private func versionTerm(_ version: String) throws -> String {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            throw APIFailure.field("b-version", "A version is numbers with dots between them, such as 2.10.0.")
        }
        return "app.version.\(comparison("b-version-is", Self.comparisons))([\(Self.quoted(version))])"
    }

    private func comparison(_ name: String, _ all: [(value: String, text: String)]) -> String {
        all.first { $0.value == fields[name] }?.value ?? all[0].value
    }

    private func list(
        _ name: String, _ signal: String, _ form: (String) -> String, _ refusal: (String) -> String?
    ) throws -> String? {
        let items = fields[name].split { $0 == "," || $0 == ";" || $0.isWhitespace }.map { form(String($0)) }
        for item in items { if let refusal = refusal(item) { throw APIFailure.field(name, refusal) } }
        return items.isEmpty ? nil : "\(signal) in [\(items.map(Self.quoted).joined(separator: ", "))]"
    }

    private func isCountry(_ code: String) -> String? {
        Self.countries.contains { $0.value == code }
            ? nil : "‘\(UserText.shown(code))’ is not a country’s code of two letters, such as CH."
    }

    private func isLanguage(_ tag: String) -> String? {
        let subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...3).contains(subtags[0].utf8.count)
            && subtags.allSatisfy {
                (1...8).contains($0.utf8.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        return isTag ? nil : "‘\(UserText.shown(tag))’ is not a language’s tag, such as de or pt-BR."
    }

    private func percentTerm() throws -> String? {
        guard let text = fields.text("b-percent") else {
            guard fields.text("b-seed") == nil else {
                throw APIFailure.field(
                    "b-percent", "A seed alone draws nothing: give the percentage, or empty the seed.")
            }
            return nil
        }
        guard let number = try? fields.decimal("b-percent", ""), (0...100).contains(number) else {
            throw APIFailure.field("b-percent", "A percentage is 0 to 100, not ‘\(UserText.shown(text))’.")
        }
        let seed = fields["b-seed"]
        guard seed.utf8.count <= 32,
            seed.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else {
            throw APIFailure.field("b-seed", "A seed has at most 32 letters, digits, hyphens, underscores or dots.")
        }
        return "percent\(seed.isEmpty ? "" : "(\(Self.quoted(seed)))") <= \(NumberText.decimal(number, 6))"
    }

    private func signalTerm() throws -> String? {
        let (key, value) = (fields["b-signal"], fields["b-signal-value"])
        guard !key.isEmpty || !value.isEmpty else { return nil }
        guard !key.isEmpty else {
            throw APIFailure.field("b-signal", "Which signal has this value? Give its key, or empty the value.")
        }
        guard !value.isEmpty else {
            throw APIFailure.field("b-signal-value", "Give the value of the signal, or empty the key.")
        }
        let signal = "app.customSignal[\(Self.quoted(key))]"
        let comparison = comparison("b-signal-is", Self.signalComparisons)
        guard comparison == ">=" || comparison == "<" else { return "\(signal).\(comparison)([\(Self.quoted(value))])" }
        guard let number = try? fields.decimal("b-signal-value", "") else {
            throw APIFailure.field(
                "b-signal-value", "This comparison takes a number, not ‘\(UserText.shown(value))’.")
        }
        return "\(signal) \(comparison) \(NumberText.decimal(number, 6))"
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    // MARK: What the fields offer

    private static let english = Locale(identifier: "en")

    /// The countries of ISO 3166, by name.
    static let countries: [(value: String, text: String)] = Locale.Region.isoRegions
        .map(\.identifier).filter { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isUppercase } }
        .map { ($0, english.localizedString(forRegionCode: $0) ?? $0) }
        .sorted { $0.text < $1.text }

    private static let languages: [(value: String, text: String)] = [
        "ar", "bg", "bn", "cs", "da", "de", "el", "en", "en-GB", "en-US", "es", "es-MX", "et", "fa", "fi", "fr",
        "fr-CA",
        "he", "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "pt-BR", "ro", "ru",
        "sk", "sl", "sr", "sv", "th", "tr", "uk", "ur", "vi", "zh", "zh-Hans", "zh-Hant",
    ].map { ($0, english.localizedString(forIdentifier: $0) ?? $0) }
}
