import HearthCatalog

extension Condition {
    /// A term that servers evaluate themselves with an Admin SDK.
    package enum ServerTerm: Sendable, Hashable {
        case constant(Bool)
        /// In millionths of a percent. A range excludes its lower bound and includes its upper one.
        case percent(operation: String, limit: Int64?, range: Range<Int64>?, seed: String)
        case customSignal(operation: String, key: String, targets: [String])
    }

    /// Nil if one of the terms needs facts that only devices send.
    package var serverTerms: [ServerTerm]? {
        let terms = terms.map(\.serverTerm)
        let known = terms.compactMap { $0 }
        return known.count == terms.count ? known : nil
    }
}

extension ConditionTerm {
    fileprivate var serverTerm: Condition.ServerTerm? {
        switch self {
        case .literal(let value): .constant(value)
        case .percent(let range, let seed): range.serverTerm(seed: seed)
        case .text(.customSignal(let key), let comparison): comparison.serverTerm(key: key)
        case .number(.customSignal(let key), let comparison, let number):
            .customSignal(operation: "NUMERIC_\(comparison.serverName)", key: key, targets: [number.description])
        case .version(.customSignal(let key), let comparison, let version):
            .customSignal(
                operation: "SEMANTIC_VERSION_\(comparison.serverName)", key: key, targets: [version.description])
        case .text, .number, .version, .word, .language, .set, .time: nil
        }
    }
}

extension PercentRange {
    fileprivate func serverTerm(seed: String) -> Condition.ServerTerm {
        switch self {
        case .upTo(let limit): .percent(operation: "LESS_OR_EQUAL", limit: limit, range: nil, seed: seed)
        case .above(let limit): .percent(operation: "GREATER_THAN", limit: limit, range: nil, seed: seed)
        case .between(let lower, let upper):
            .percent(operation: "BETWEEN", limit: nil, range: lower..<upper, seed: seed)
        }
    }
}

extension TextComparison {
    fileprivate func serverTerm(key: String) -> Condition.ServerTerm {
        switch self {
        case .contains(let items): .customSignal(operation: "STRING_CONTAINS", key: key, targets: items)
        case .notContains(let items): .customSignal(operation: "STRING_DOES_NOT_CONTAIN", key: key, targets: items)
        case .exactlyMatches(let items): .customSignal(operation: "STRING_EXACTLY_MATCHES", key: key, targets: items)
        case .matches(let patterns):
            .customSignal(operation: "STRING_CONTAINS_REGEX", key: key, targets: patterns.map(\.text))
        }
    }
}

extension Comparison {
    fileprivate var serverName: String {
        switch self {
        case .less: "LESS_THAN"
        case .lessOrEqual: "LESS_EQUAL"
        case .greater: "GREATER_THAN"
        case .greaterOrEqual: "GREATER_EQUAL"
        case .equal: "EQUAL"
        case .notEqual: "NOT_EQUAL"
        }
    }
}
