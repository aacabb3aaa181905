package import HearthTargeting

/// A condition in the form that Admin SDKs evaluate themselves: a tree in place of a text.
///
/// It supports a part of the language: shares of all installations, custom signals and constants.
package indirect enum ServerCondition: Sendable, Hashable {
    case any([ServerCondition])
    case all([ServerCondition])
    case constant(Bool)
    case percent(Percent)
    case customSignal(operation: String, key: String, targets: [String])

    /// A share of all installations.
    package struct Percent: Sendable, Hashable {
        /// `LESS_OR_EQUAL`, `GREATER_THAN` or `BETWEEN`.
        package var operation: String
        package var seed: String
        /// Millionths of a percent.
        package var limit: Int64?
        package var range: Range<Int64>?
    }

    /// Nil if the condition needs facts that only devices send.
    package init?(_ condition: Condition) {
        guard let terms = condition.serverTerms else { return nil }
        self = .any([.all(terms.map(Self.init))])
    }

    private init(_ term: Condition.ServerTerm) {
        switch term {
        case .constant(let value): self = .constant(value)
        case .percent(let operation, let limit, let range, let seed):
            self = .percent(Percent(operation: operation, seed: seed, limit: limit, range: range))
        case .customSignal(let operation, let key, let targets):
            self = .customSignal(operation: operation, key: key, targets: targets)
        }
    }
}

extension ServerCondition: Encodable {
    private enum Kind: String, CodingKey {
        case orCondition, andCondition, `true`, `false`, percent, customSignal
    }

    private struct List: Encodable {
        let conditions: [ServerCondition]
    }

    private struct Nothing: Encodable {}

    private struct PercentBody: Encodable {
        struct Bounds: Encodable {
            let microPercentLowerBound: Int64
            let microPercentUpperBound: Int64
        }

        let percentOperator: String
        let seed: String
        let microPercent: Int64?
        let microPercentRange: Bounds?
    }

    private struct SignalBody: Encodable {
        let customSignalOperator: String
        let customSignalKey: String
        let targetCustomSignalValues: [String]
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Kind.self)
        switch self {
        case .any(let conditions): try values.encode(List(conditions: conditions), forKey: .orCondition)
        case .all(let conditions): try values.encode(List(conditions: conditions), forKey: .andCondition)
        case .constant(let value): try values.encode(Nothing(), forKey: value ? .true : .false)
        case .percent(let percent):
            let bounds = percent.range.map {
                PercentBody.Bounds(microPercentLowerBound: $0.lowerBound, microPercentUpperBound: $0.upperBound)
            }
            try values.encode(
                PercentBody(
                    percentOperator: percent.operation, seed: percent.seed, microPercent: percent.limit,
                    microPercentRange: bounds), forKey: .percent)
        case .customSignal(let operation, let key, let targets):
            try values.encode(
                SignalBody(customSignalOperator: operation, customSignalKey: key, targetCustomSignalValues: targets),
                forKey: .customSignal)
        }
    }
}
