import HearthCatalog

extension ConditionParser {
    mutating func term() throws(ConditionSyntaxError) -> ConditionTerm {
        // Firebase's own text, which users search for.
        if isNext(sign: "!") { throw error("NOT condition is not allowed here") }
        let start = current
        switch try word("a signal, such as app.version or device.country") {
        case "true": return .literal(true)
        case "false": return .literal(false)
        case "percent": return try percent()
        case "dateTime": return try time(.now)
        case "version": return try semanticVersion()
        case "app": return try appElement()
        case "device": return try deviceElement()
        case "hearth": return try hearthElement()
        default:
            throw error(
                "There is no signal \(start.name); there are app..., device..., hearth.tags, version(...), percent, dateTime, true, false.",
                at: start)
        }
    }

    private mutating func appElement() throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: ".")
        let start = current
        switch try word("a signal of the app") {
        case "version": return try versionedText(.appVersion)
        case "build": return try versionedText(.appBuild)
        case "id": return try equality(.appID, [.equal])
        case "firebaseInstallationId": return try oneOf(.installationID, limit: 50)
        case "audiences": return try membership(.audiences)
        case "importedSegments": return try membership(.importedSegments)
        case "operatingSystemAndVersion": return try membership(.operatingSystemAndVersion)
        case "browserAndVersion": return try membership(.browserAndVersion)
        case "firstOpenTimestamp": return try time(.firstOpen)
        case "userProperty": return try free(.userProperty(try key()))
        case "customSignal": return try free(.customSignal(try key()))
        default: throw error("There is no signal app.\(Self.bare(start)).", at: start)
        }
    }

    private mutating func deviceElement() throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: ".")
        let start = current
        switch try word("a signal of the device") {
        case "country": return try countries()
        case "language":
            try expect(word: "in")
            return .language(try list())
        case "os": return try equality(.operatingSystem, [.equal, .notEqual])
        case "dateTime": return try time(.now)
        default: throw error("There is no signal device.\(Self.bare(start)).", at: start)
        }
    }

    /// Signals that only Hearth's devices send.
    private mutating func hearthElement() throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: ".")
        let start = current
        guard try word("a signal of Hearth's") == "tags" else {
            throw error("There is no signal hearth.\(Self.bare(start)).", at: start)
        }
        return try membership(.tags)
    }

    private static func bare(_ token: ConditionToken) -> String {
        if case .word(let word) = token.kind { word } else { token.name }
    }

    /// `['key']`
    private mutating func key() throws(ConditionSyntaxError) -> String {
        try expect(sign: "[")
        let key = try text("a key")
        try expect(sign: "]")
        return key
    }

    private mutating func equality(
        _ signal: ConditionSignal, _ allowed: [Comparison]
    ) throws(ConditionSyntaxError) -> ConditionTerm {
        let comparison = try comparison(of: allowed)
        let word = try text("a text")
        let folded = signal == .operatingSystem ? word.lowercased() : word
        return .word(signal, isIn: comparison == .equal, [folded])
    }

    private mutating func oneOf(
        _ signal: ConditionSignal, limit: Int
    ) throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(word: "in")
        let start = current
        let items = try list()
        guard items.count <= limit else { throw error("This list may have at most \(limit) items.", at: start) }
        return .word(signal, isIn: true, Set(items))
    }

    private mutating func countries() throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(word: "in")
        return .word(.country, isIn: true, Set(try list().map { $0.uppercased() }))
    }

    private mutating func membership(_ signal: ConditionSignal) throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: ".")
        let names = SetComparison.allCases.map(\.rawValue).joined(separator: ", ")
        guard case .word(let name) = current.kind, let comparison = SetComparison(rawValue: name) else {
            throw error(expecting: "one of \(names)")
        }
        advance()
        try expect(sign: "(")
        let items = try list()
        try expect(sign: ")")
        return .set(signal, comparison, Set(items))
    }

    /// `app.version` and `app.build`: compared as a text, `.contains([…])`, or as a version, `.>=(['1.2'])`.
    private mutating func versionedText(_ signal: ConditionSignal) throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: ".")
        if case .word = current.kind { return .text(signal, try textComparison()) }
        let comparison = try comparison()
        try expect(sign: "(")
        let start = current
        let items = try list()
        guard let item = items.first, items.count == 1 else {
            throw error("This comparison takes exactly one version.", at: start)
        }
        let version = try version(item, at: start)
        try expect(sign: ")")
        return .version(signal, comparison, version)
    }

    /// A signal that is a text or a number.
    private mutating func free(_ signal: ConditionSignal) throws(ConditionSyntaxError) -> ConditionTerm {
        if skip(sign: ".") { return .text(signal, try textComparison()) }
        let comparison = try comparison()
        return .number(signal, comparison, try number())
    }

    /// `version(app.customSignal['k']) >= '1.2.0'`
    private mutating func semanticVersion() throws(ConditionSyntaxError) -> ConditionTerm {
        try expect(sign: "(")
        try expect(word: "app")
        try expect(sign: ".")
        let signal: ConditionSignal
        switch current.kind {
        case .word("customSignal"):
            advance()
            signal = .customSignal(try key())
        case .word("userProperty"):
            advance()
            signal = .userProperty(try key())
        default: throw error(expecting: "customSignal or userProperty")
        }
        try expect(sign: ")")
        let comparison = try comparison()
        let start = current
        return .version(signal, comparison, try version(try text("a version"), at: start))
    }

    private func version(_ text: String, at token: ConditionToken) throws(ConditionSyntaxError) -> DottedVersion {
        guard let version = DottedVersion(text) else {
            throw error("'\(text)' is not a version: write numbers separated by dots, such as 1.2.0.", at: token)
        }
        return version
    }

    private mutating func textComparison() throws(ConditionSyntaxError) -> TextComparison {
        let start = current
        let name = try word("contains, notContains, exactlyMatches or matches")
        guard ["contains", "notContains", "exactlyMatches", "matches"].contains(name) else {
            throw error(
                "There is no comparison .\(name); there are contains, notContains, exactlyMatches, matches.", at: start)
        }
        try expect(sign: "(")
        let listStart = current
        let items = try list()
        try expect(sign: ")")
        switch name {
        case "contains": return .contains(items)
        case "notContains": return .notContains(items)
        case "exactlyMatches": return .exactlyMatches(items)
        default: return .matches(try patterns(items, at: listStart))
        }
    }

    private mutating func patterns(
        _ items: [String], at token: ConditionToken
    ) throws(ConditionSyntaxError) -> [TextPattern] {
        patternCount += items.count
        guard patternCount <= Condition.patternLimit else {
            throw error("A condition may have at most \(Condition.patternLimit) regular expressions.", at: token)
        }
        var found: [TextPattern] = []
        for item in items {
            do {
                found.append(try patterns.pattern(item))
            } catch let full as PatternCache.Full {
                throw ConditionSyntaxError(column: token.column, message: full.message, isTooLarge: true)
            } catch {
                let reason = (error as? TextPattern.Malformed)?.reason ?? "\(error)"
                throw self.error("'\(item)' is not a regular expression of RE2: \(reason).", at: token)
            }
        }
        return found
    }
}
