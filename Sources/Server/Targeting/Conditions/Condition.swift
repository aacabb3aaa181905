import HearthCatalog

/// A condition in Firebase Remote Config's language: terms that must all be true, such as `device.country in ['CH',
/// 'AT'] && percent('colours') <= 10`.
///
/// Immutable; any thread may evaluate it.
package struct Condition: Sendable, Hashable {
    /// The condition as it was written.
    package let text: String
    let terms: [ConditionTerm]
    /// The cost of each term.
    let costs: [ConditionCost]
    /// Where each term begins in the text: the number of its first character, counted from 1.
    let columns: [Int]

    /// Parses a condition on its own.
    ///
    /// - Throws: a `ConditionSyntaxError` that points at the first character that cannot be parsed.
    package init(_ text: String) throws(ConditionSyntaxError) {
        let limit = ConditionLimits.conditionInstructions
        try self.init(text, patterns: PatternCache(limitInstructions: limit, owner: "a condition"))
    }

    /// Parses one of several conditions that share their regular expressions.
    init(_ text: String, patterns: PatternCache) throws(ConditionSyntaxError) {
        self.text = text
        (terms, columns) = try ConditionParser.terms(of: text, patterns: patterns)
        costs = terms.map(\.cost)
    }

    /// The highest cost of an evaluation.
    package var cost: ConditionCost { costs.reduce(ConditionCost(), +) }

    /// How many instructions its regular expressions have in total.
    package var instructions: Int {
        Dictionary(patterns.map { ($0.text, $0.instructions) }, uniquingKeysWith: { first, _ in first }).values.reduce(
            0, +)
    }

    var patterns: [TextPattern] {
        terms.flatMap { term in
            if case .text(_, .matches(let patterns)) = term { patterns } else { [TextPattern]() }
        }
    }

    /// Firebase's limit.
    static let termLimit = 50
    /// The most regular expressions of a condition, because each one takes memory.
    static let patternLimit = 20
    /// The most items of a list.
    static let itemLimit = 100
}

/// One term. It is false if the device does not send its signal; that includes negative terms.
enum ConditionTerm: Sendable, Hashable {
    case literal(Bool)
    case text(ConditionSignal, TextComparison)
    case number(ConditionSignal, Comparison, ConditionNumber)
    case version(ConditionSignal, Comparison, DottedVersion)
    /// The signal is one of the words (`isIn` is true), or none of them.
    case word(ConditionSignal, isIn: Bool, Set<String>)
    /// The device's language begins with the subtags of one of the tags.
    case language([String])
    /// How the signal's set of words relates to those of the term.
    case set(ConditionSignal, SetComparison, Set<String>)
    case time(TimeSignal, Comparison, microseconds: Int64)
    case percent(PercentRange, seed: String)
}

/// A fact that a device sends, by its name in conditions.
enum ConditionSignal: Sendable, Hashable {
    case appVersion
    case appBuild
    case appID
    case installationID
    case operatingSystem
    case country
    case userProperty(String)
    case customSignal(String)
    case tags
    /// Known only to Google's analytics: no device has any in Hearth.
    case audiences
    case importedSegments
    case operatingSystemAndVersion
    case browserAndVersion
}

/// A time that a condition compares.
enum TimeSignal: Sendable, Hashable {
    /// The server's time at the device's call.
    case now
    case firstOpen
}

/// An operator that compares two values in order.
enum Comparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
    }
}

/// How a text is compared with the texts of a term: byte by byte, as regular expressions do. So a letter with an accent and
/// the same letter with a combining accent differ in all of them.
enum TextComparison: Sendable, Hashable {
    case contains([String])
    case notContains([String])
    case exactlyMatches([String])
    case matches([TextPattern])
}

/// How a set of words is compared with the words of a term.
enum SetComparison: String, Sendable, CaseIterable {
    case inAtLeastOne
    case notInAtLeastOne
    case inAll
    case notInAll
}

extension Condition {
    /// Signals in the condition, as written, that a device does not send when it asks for a model: no device meets such
    /// a condition of a release.
    package var remoteConfigOnlySignals: [String] {
        var names: [String] = []
        for name in terms.compactMap(\.remoteConfigOnlySignal) where !names.contains(name) { names.append(name) }
        return names
    }
}

extension ConditionTerm {
    fileprivate var remoteConfigOnlySignal: String? {
        switch self {
        case .text(let signal, _), .number(let signal, _, _), .version(let signal, _, _), .word(let signal, _, _),
            .set(let signal, _, _):
            signal.isRemoteConfigOnly ? signal.name : nil
        case .time(.firstOpen, _, _): signal
        case .literal, .language, .time(.now, _, _), .percent: nil
        }
    }

    /// The signal that the device must send, as conditions name it; nil if it need not send any. A share of the
    /// installations needs the id of the installation.
    var signal: String? {
        switch self {
        case .text(let signal, _), .number(let signal, _, _), .version(let signal, _, _), .word(let signal, _, _),
            .set(let signal, _, _):
            signal.name
        case .language: "device.language"
        case .time(.firstOpen, _, _): "app.firstOpenTimestamp"
        case .percent: ConditionSignal.installationID.name
        case .literal, .time(.now, _, _): nil
        }
    }

    /// Whether no device sends the signal.
    var isUnsupported: Bool {
        switch self {
        case .set(let signal, _, _): signal != .tags
        default: false
        }
    }
}

extension ConditionSignal {
    /// As conditions name it.
    var name: String {
        switch self {
        case .appVersion: "app.version"
        case .appBuild: "app.build"
        case .appID: "app.id"
        case .installationID: "app.firebaseInstallationId"
        case .operatingSystem: "device.os"
        case .country: "device.country"
        case .userProperty(let key): "app.userProperty['\(key)']"
        case .customSignal(let key): "app.customSignal['\(key)']"
        case .tags: "hearth.tags"
        case .audiences: "app.audiences"
        case .importedSegments: "app.importedSegments"
        case .operatingSystemAndVersion: "app.operatingSystemAndVersion"
        case .browserAndVersion: "app.browserAndVersion"
        }
    }

    /// Whether a device does not send it when it asks for a model.
    fileprivate var isRemoteConfigOnly: Bool {
        switch self {
        case .appBuild, .userProperty, .customSignal, .audiences, .importedSegments, .operatingSystemAndVersion,
            .browserAndVersion:
            true
        case .appVersion, .appID, .installationID, .operatingSystem, .country, .tags: false
        }
    }
}

/// Why a text is not a condition, and where.
package struct ConditionSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first character that cannot be parsed, counted from 1; one more than the length if the text ends too early.
    package let column: Int
    /// What is wrong there and what is expected, in one line.
    package let message: String
    /// Whether the condition is valid, and above the limits of conditions.
    package let isTooLarge: Bool

    init(column: Int, message: String, isTooLarge: Bool = false) {
        self.column = column
        self.message = message
        self.isTooLarge = isTooLarge
    }

    package var description: String { "Column \(column): \(message)" }

    /// The condition with a mark under the character, for a terminal.
    package func marked(in condition: String) -> String {
        // On one line, whatever characters it has, so that the mark is under the right one.
        String(condition.map { $0.isNewline || $0 == "\t" ? " " : $0 }) + "\n"
            + String(repeating: " ", count: max(0, column - 1)) + "^"
    }
}
