import HearthCatalog

extension Condition {
    /// Whether all terms are true for the device.
    public func holds(for device: DeviceFacts, nowMicroseconds: Int64) -> Bool {
        var subject = ConditionSubject(device, nowMicroseconds: nowMicroseconds)
        return holds(for: &subject)
    }

    /// The same, where others are asked about the device too.
    public func holds(for subject: inout ConditionSubject) -> Bool {
        for term in terms where !term.holds(for: &subject) { return false }
        return true
    }
}

extension ConditionTerm {
    fileprivate func holds(for subject: inout ConditionSubject) -> Bool {
        switch self {
        case .literal(let value): return value
        case .text(let signal, let comparison): return subject.device.text(signal).map(comparison.holds) ?? false
        case .number(let signal, let comparison, let number):
            // A text such as "nan" is no number, although it can be read as one that differs from all.
            guard let value = subject.device.text(signal).flatMap({ Double($0.trimmed) }), value.isFinite else {
                return false
            }
            return comparison.holds(value, number)
        case .version(let signal, let comparison, let version):
            return subject.version(signal).map { comparison.holds($0, version) } ?? false
        case .word(let signal, let isIn, let words):
            return subject.device.text(signal).map { words.contains($0) == isIn } ?? false
        case .language(let ranges):
            guard let language = subject.device.languages.first else { return false }
            return ranges.contains { LanguageTag.isPrefix($0, of: language) }
        case .set(let signal, let comparison, let words):
            return subject.device.set(signal).map { comparison.holds($0, words) } ?? false
        case .time(.now, let comparison, let limit): return comparison.holds(subject.nowMicroseconds, limit)
        case .time(.firstOpen, let comparison, let limit):
            return subject.device.firstOpenMicroseconds.map { comparison.holds($0, limit) } ?? false
        case .percent(let range, let seed):
            return range.contains(subject.bucket(seed))
        }
    }
}

extension TextComparison {
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .contains(let items): items.contains { TextPattern.isIn(text, part: $0) }
        case .notContains(let items): !items.contains { TextPattern.isIn(text, part: $0) }
        case .exactlyMatches(let items): items.contains { $0.trimmed == text.trimmed }
        case .matches(let patterns): patterns.contains { $0.isIn(text) }
        }
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
        case .appID: appID
        case .installationID: installationID
        case .operatingSystem: operatingSystem
        case .country: country
        case .userProperty(let key): userProperties[key]
        case .customSignal(let key): customSignals[key]
        case .tags, .audiences, .importedSegments, .operatingSystemAndVersion, .browserAndVersion: nil
        }
    }

    /// Nil where nothing of the kind can be known.
    fileprivate func set(_ signal: ConditionSignal) -> Set<String>? { signal == .tags ? Set(tags) : nil }
}

extension String {
    var trimmed: Substring {
        // Nearly always there is nothing to do, which bytes show sooner than characters.
        if let first = utf8.first, let last = utf8.last, Self.isInk(first), Self.isInk(last) { return self[...] }
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    private static func isInk(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
