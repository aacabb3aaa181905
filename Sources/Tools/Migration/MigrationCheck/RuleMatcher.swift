/// Finds the rules that hold in one file.
struct RuleMatcher {
    /// A call as the report shows it.
    struct Match {
        var call: String
        var rule: APIRule
    }

    private let language: SourceLanguage
    private let rules: [APIRule]
    private var names: [String: APIRule] = [:]
    private var beginnings: [(text: String, rule: APIRule)] = []
    private var members: [String: APIRule] = [:]
    /// What the file's imports name, in Kotlin and Java. Nil for a class that is not Google's.
    private var imported: [String: APIRule?] = [:]
    private let ownNames: Set<String>

    init(_ text: SourceText, _ file: SourcePlace, _ app: AppNames) {
        language = file.language
        let part = AppNames.Part(project: file.project, language: file.language)
        ownNames = (app.own[part] ?? []).union(text.innerNames)
        let all = APIRule.byLanguage[language] ?? []
        let shared = language == .swift ? app.shared[file.project] ?? [] : []
        let imports = text.imports.map(\.name).filter { !app.isOwn($0) } + shared
        var words = Set(text.words.map(\.text))
        if language.importsClasses { words.formUnion(text.imports.map { Self.className($0.name) }) }
        rules = all.filter { $0.isActive(imports: imports, words: words) }
        // A class needs its own import, or one of all classes of its package.
        let packages = imports.filter { $0.hasSuffix(".*") }
        for rule in rules {
            for member in rule.members where members[member] == nil { members[member] = rule }
            guard !language.importsClasses || rule.modules.isEmpty || packages.contains(where: rule.isModule) else {
                continue
            }
            for name in rule.names {
                if name.hasSuffix("*") {
                    beginnings.append((String(name.dropLast()), rule))
                } else if names[name] == nil {
                    names[name] = rule
                }
            }
        }
        guard language.importsClasses else { return }
        for item in text.imports {
            let name = Self.className(item.name)
            imported[item.alias ?? name] = .some(app.isOwn(item.name) ? nil : rule(forImport: item.name))
        }
    }

    private static func className(_ path: String) -> String { String(path.split(separator: ".").last ?? "") }

    /// The rule of an import.
    func rule(forImport name: String) -> APIRule? {
        if language.importsClasses {
            let last = Self.className(name)
            let named = rules.first { !$0.modules.isEmpty && $0.isModule(name) && $0.names.contains(last) }
            if let rule = named { return rule }
        }
        return rules.first { $0.isImport(name) }
    }

    /// The rule of a library in a manifest.
    func rule(forLibrary name: String) -> APIRule? { rules.first { $0.isLibrary(name) } }

    /// The rule of a word of the code.
    func match(_ word: SourceText.Word) -> Match? {
        let text = word.text
        if let rule = imported[text] {
            guard let rule else { return nil }
            // Functions and properties, which often share their names with the app's variables.
            if text.first?.isLowercase == true {
                guard word.isMember, !Self.operators.contains(text) else { return named(word) }
                return Match(call: ".\(text)", rule: rule)
            }
            return Match(call: text, rule: rule)
        }
        return named(word)
    }

    /// Kotlin calls them without their names.
    private static let operators: Set<String> = ["get", "set", "plus", "minus", "contains", "invoke"]

    private func named(_ word: SourceText.Word) -> Match? {
        let text = word.text
        if word.isMember, let rule = members[text] { return Match(call: ".\(text)", rule: rule) }
        guard !ownNames.contains(text) else { return nil }
        if let rule = names[text] { return Match(call: text, rule: rule) }
        return beginnings.first { text.hasPrefix($0.text) }.map { Match(call: text, rule: $0.rule) }
    }
}
