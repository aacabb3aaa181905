import HearthCatalog

extension Condition {
    /// Whether all terms are true for the device.
    package func holds(for device: DeviceFacts, nowMicroseconds: Int64) -> Bool {
        var subject = EvaluationContext(device, nowMicroseconds: nowMicroseconds)
        return holds(for: &subject)
    }

    /// Whether all terms are true for the device, with the steps and results that several conditions share. False if
    /// too few steps are left.
    package func holds(for subject: inout EvaluationContext) -> Bool {
        for (term, cost) in zip(terms, costs) {
            guard case .holds = term.verdict(for: &subject, cost) else { return false }
        }
        return true
    }

    /// Why the condition holds for the device, or why not. Uses more steps than `holds`, because a term that is false decides
    /// even if the device does not say what an earlier one asks for.
    package func explain(for subject: inout EvaluationContext) -> ConditionFinding {
        var (missing, unsupported): ([String], [String]) = ([], [])
        for (index, term) in terms.enumerated() {
            switch term.verdict(for: &subject, costs[index]) {
            case .holds: continue
            case .fails: return .fails(column: columns[index])
            case .unreadable(let form): return .unreadable(as: form, signal: term.signal ?? "", column: columns[index])
            case .exhausted: return .exhausted
            case .missing:
                guard let signal = term.signal else { continue }
                if term.isUnsupported { unsupported.append(signal) } else { missing.append(signal) }
            }
        }
        if !unsupported.isEmpty { return .unsupported(signals: unsupported.uniqued) }
        return missing.isEmpty ? .holds : .missing(signals: missing.uniqued)
    }
}

/// Why a condition holds for a device, or why not.
package enum ConditionFinding: Sendable, Hashable {
    case holds
    /// The term that begins at this column is false.
    case fails(column: Int)
    /// The term that begins at this column is false, because it asks for a number or a version, and the device sends
    /// something else.
    case unreadable(as: ConditionValueForm, signal: String, column: Int)
    /// The device does not say what the condition asks for, by the names of the signals, so that it counts as false.
    case missing(signals: [String])
    /// No device sends these signals, so that the condition is always false.
    case unsupported(signals: [String])
    /// Too few steps were left.
    case exhausted
    /// The condition is above the limits, so that no device meets it.
    case tooLarge
}

/// What a term needs a device's text to be.
package enum ConditionValueForm: Sendable, Hashable {
    case number
    case version
}

/// What a term is for a device. All except `holds` count as false.
private enum TermVerdict {
    case holds
    case fails
    /// The device sends something that does not have this form.
    case unreadable(ConditionValueForm)
    /// The device does not send the signal.
    case missing
    /// Too few steps are left.
    case exhausted
}

extension [String] {
    /// Without repetitions, in their order.
    fileprivate var uniqued: [String] {
        reduce(into: []) { items, item in if !items.contains(item) { items.append(item) } }
    }
}

extension ConditionTerm {
    /// First finds the text to compare, because its length decides how many steps the comparison takes.
    fileprivate func verdict(for subject: inout EvaluationContext, _ cost: ConditionCost) -> TermVerdict {
        switch self {
        case .text(let signal, _), .number(let signal, _, _), .version(let signal, _, _), .word(let signal, _, _):
            let text = subject.device.text(signal)
            guard subject.consumeSteps(cost.steps(bytes: text?.utf8.count ?? 0)) else { return .exhausted }
            guard let text else { return .missing }
            return verdict(on: text, signal, &subject)
        case .set(let signal, let comparison, let words):
            let own = subject.set(signal)
            guard subject.consumeSteps(cost.steps(bytes: own?.count ?? 0)) else { return .exhausted }
            guard let own else { return .missing }
            return comparison.holds(own, words) ? .holds : .fails
        default:
            guard subject.consumeSteps(cost.fixedSteps) else { return .exhausted }
            return holds(for: &subject).map { $0 ? .holds : .fails } ?? .missing
        }
    }

    private func verdict(
        on text: String, _ signal: ConditionSignal, _ subject: inout EvaluationContext
    ) -> TermVerdict {
        switch self {
        case .text(_, let comparison): return comparison.holds(text) ? .holds : .fails
        case .number(_, let comparison, let number):
            guard let value = ConditionNumber(text.trimmed) else { return .unreadable(.number) }
            return comparison.holds(value, number) ? .holds : .fails
        case .version(_, let comparison, let version):
            guard let value = subject.version(signal) else { return .unreadable(.version) }
            return comparison.holds(value, version) ? .holds : .fails
        case .word(_, let isIn, let words): return words.contains(text) == isIn ? .holds : .fails
        default: return .fails
        }
    }

    /// Nil if the device does not send the signal.
    private func holds(for subject: inout EvaluationContext) -> Bool? {
        switch self {
        case .literal(let value): return value
        case .language(let ranges):
            guard let language = subject.device.languages.first else { return nil }
            return ranges.contains { LanguageTag.isPrefix($0, of: language) }
        case .time(.now, let comparison, let limit): return comparison.holds(subject.nowMicroseconds, limit)
        case .time(.firstOpen, let comparison, let limit):
            return subject.device.firstOpenMicroseconds.map { comparison.holds($0, limit) }
        case .percent(let range, let seed):
            // Only the evaluation of a template for readers has a device without an id.
            return subject.device.installationID.isEmpty ? nil : range.contains(subject.bucket(seed))
        case .text, .number, .version, .word, .set: return nil
        }
    }
}

extension TextComparison {
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .contains(let items): items.contains { TextPattern.isIn(text, part: $0) }
        case .notContains(let items): !items.contains { TextPattern.isIn(text, part: $0) }
        case .exactlyMatches(let items): Self.isOne(of: items, text.trimmed)
        case .matches(let patterns): patterns.contains { $0.isIn(text) }
        }
    }

    private static func isOne(of items: [String], _ text: Substring) -> Bool {
        items.contains { $0.trimmed.utf8.elementsEqual(text.utf8) }
    }
}

extension SetComparison {
    fileprivate func holds(_ found: Set<String>, _ words: Set<String>) -> Bool {
        switch self {
        case .inAtLeastOne: !found.isDisjoint(with: words)
        case .notInAtLeastOne: found.isDisjoint(with: words)
        case .inAll: words.isSubset(of: found)
        case .notInAll: !words.isSubset(of: found)
        }
    }
}

extension DeviceFacts {
    func text(_ signal: ConditionSignal) -> String? {
        switch signal {
        case .appVersion: appVersion
        case .appBuild: appBuild
        case .appID: appID.isEmpty ? nil : appID
        case .installationID: installationID.isEmpty ? nil : installationID
        case .operatingSystem: operatingSystem
        case .country: country
        case .userProperty(let key): userProperties[key]
        case .customSignal(let key): customSignals[key]
        case .tags, .audiences, .importedSegments, .operatingSystemAndVersion, .browserAndVersion: nil
        }
    }

}

extension String {
    var trimmed: Substring {
        // Usually there is nothing to do, and bytes show that faster than characters.
        if let first = utf8.first, let last = utf8.last, Self.isVisibleASCII(first), Self.isVisibleASCII(last) {
            return self[...]
        }
        // By scalars: a device may send hundreds of blanks, and characters take longer.
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return self[endIndex...] }
        return self[first..<scalars.index(after: last)]
    }

    private static func isVisibleASCII(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}

/// A device for which conditions are evaluated at one moment. Results that several conditions need are computed once.
package struct EvaluationContext {
    package let device: DeviceFacts
    /// Microseconds since 1970.
    package let nowMicroseconds: Int64
    private let limitSteps: Int

    /// The steps that may still be used for the device.
    private var stepsLeft: Int
    /// Whether a term had too few steps left. From then on, all terms are false.
    package private(set) var isExhausted = false

    private var tags: Set<String>?
    private var versions: [(signal: ConditionSignal, version: DottedVersion?)] = []
    private var buckets: [(seed: String, bucket: Int64)] = []

    /// Templates name few signals and seeds. A search through more entries would cost as much as it saves.
    private static let memory = 8

    package init(
        _ device: DeviceFacts, nowMicroseconds: Int64, limitSteps: Int = ConditionLimits.fetchSteps
    ) {
        self.device = device
        self.nowMicroseconds = nowMicroseconds
        self.limitSteps = limitSteps
        stepsLeft = limitSteps
    }

    /// The steps used so far: never more than the limit.
    package var steps: Int { limitSteps - stepsLeft }

    /// Uses that many steps. If too few are left, it returns false, then and on all later calls.
    package mutating func consumeSteps(_ steps: Int) -> Bool {
        guard !isExhausted, steps <= stepsLeft else {
            isExhausted = true
            return false
        }
        stepsLeft -= steps
        return true
    }

    /// Nil if a device has no such set.
    mutating func set(_ signal: ConditionSignal) -> Set<String>? {
        guard signal == .tags else { return nil }
        if let tags { return tags }
        let found = Set(device.tags)
        tags = found
        return found
    }

    /// Nil if the device does not send the signal, or sends something that is not a version.
    mutating func version(_ signal: ConditionSignal) -> DottedVersion? {
        if let known = versions.first(where: { $0.signal == signal }) { return known.version }
        let version = device.text(signal).flatMap { DottedVersion(String($0.trimmed)) }
        if versions.count < Self.memory { versions.append((signal, version)) }
        return version
    }

    /// The installation's position in the order that the seed draws: see `PercentRange`.
    mutating func bucket(_ seed: String) -> Int64 {
        if let known = buckets.first(where: { $0.seed == seed }) { return known.bucket }
        let bucket = PercentRange.bucket(of: device.installationID, seed: seed)
        if buckets.count < Self.memory { buckets.append((seed, bucket)) }
        return bucket
    }
}
