import HearthCatalog

/// A condition in Firebase Remote Config's language: terms that must all be true, such as
/// `device.country in ['CH', 'AT'] && percent('colours') <= 10`.
///
/// Immutable; any thread may ask it.
package struct Condition: Sendable, Hashable {
    /// As it was written.
    package let text: String
    let terms: [ConditionTerm]
    /// Of each term.
    let costs: [ConditionCost]

    /// Reads a condition that stands alone.
    ///
    /// - Throws: a `ConditionSyntaxError` that points at the first character which cannot be read.
    package init(_ text: String) throws(ConditionSyntaxError) {
        let limit = ConditionLimits.conditionInstructions
        try self.init(text, patterns: PatternCache(limitInstructions: limit, owner: "a condition"))
    }

    /// Reads one of several that are kept together.
    init(_ text: String, patterns: PatternCache) throws(ConditionSyntaxError) {
        self.text = text
        terms = try ConditionParser.terms(of: text, patterns: patterns)
        costs = terms.map(\.cost)
    }

    /// What it takes at most to ask it.
    package var cost: ConditionCost { costs.reduce(ConditionCost(), +) }

    /// How many instructions its regular expressions have.
    package var instructions: Int {
        Dictionary(patterns.map { ($0.text, $0.instructions) }, uniquingKeysWith: { first, _ in first }).values.reduce(
            0, +)
    }

    var patterns: [TextPattern] {
        terms.flatMap { term in
            if case .text(_, .matches(let patterns)) = term { patterns } else { [TextPattern]() }
        }
    }

    /// More would be a mistake; the limit is that of Firebase.
    static let termLimit = 50
    /// Each one takes memory.
    static let patternLimit = 20
    /// In one list.
    static let itemLimit = 100
}

/// One term. Signals that a device does not send make it false, negative ones too.
enum ConditionTerm: Sendable, Hashable {
    case literal(Bool)
    case text(ConditionSignal, TextComparison)
    case number(ConditionSignal, Comparison, Double)
    case version(ConditionSignal, Comparison, DottedVersion)
    /// The signal is one of the words (`isIn`), or none of them.
    case word(ConditionSignal, isIn: Bool, Set<String>)
    /// The first subtags of the device's language are those of one of the tags.
    case language([String])
    /// How the words that the signal has, a set, go with those of the term.
    case set(ConditionSignal, SetComparison, Set<String>)
    case time(TimeSignal, Comparison, microseconds: Int64)
    case percent(PercentRange, seed: String)
}

/// What a device says of itself, as a condition names it.
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
    /// Known only to Google's analytics: no device has any here.
    case audiences
    case importedSegments
    case operatingSystemAndVersion
    case browserAndVersion
}

enum TimeSignal: Sendable, Hashable {
    /// The server's clock when the device asks.
    case now
    case firstOpen
}

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

enum TextComparison: Sendable, Hashable {
    case contains([String])
    case notContains([String])
    case exactlyMatches([String])
    case matches([TextPattern])
}

enum SetComparison: String, Sendable, CaseIterable {
    case inAtLeastOne
    case notInAtLeastOne
    case inAll
    case notInAll
}

extension Condition {
    /// Signals of the condition that a device which asks for a model does not tell, as they are written: in a release such
    /// a condition is met by nobody.
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
            signal.nameIfRemoteConfigOnly
        case .time(.firstOpen, _, _): "app.firstOpenTimestamp"
        case .literal, .language, .time(.now, _, _), .percent: nil
        }
    }
}

extension ConditionSignal {
    fileprivate var nameIfRemoteConfigOnly: String? {
        switch self {
        case .appBuild: "app.build"
        case .userProperty(let key): "app.userProperty['\(key)']"
        case .customSignal(let key): "app.customSignal['\(key)']"
        case .audiences: "app.audiences"
        case .importedSegments: "app.importedSegments"
        case .operatingSystemAndVersion: "app.operatingSystemAndVersion"
        case .browserAndVersion: "app.browserAndVersion"
        case .appVersion, .appID, .installationID, .operatingSystem, .country, .tags: nil
        }
    }
}

/// Why a text is no condition, and where.
package struct ConditionSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first character that cannot be read, counted from 1; one more than there are where the text ends too early.
    package let column: Int
    /// What is wrong there and what is expected, in one line.
    package let message: String
    /// Whether it is sound, and needs more than conditions may.
    package let isTooLarge: Bool

    init(column: Int, message: String, isTooLarge: Bool = false) {
        self.column = column
        self.message = message
        self.isTooLarge = isTooLarge
    }

    package var description: String { "Column \(column): \(message)" }

    /// The condition with a mark under the character, for a terminal.
    package func marked(in condition: String) -> String {
        // On one line, whatever it has, so that the mark stands under the character.
        String(condition.map { $0.isNewline || $0 == "\t" ? " " : $0 }) + "\n"
            + String(repeating: " ", count: max(0, column - 1)) + "^"
    }
}
