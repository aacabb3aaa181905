/// What becomes of a call when an app leaves Firebase.
package enum APIVerdict: String, Codable, Sendable, CaseIterable {
    /// The call works as it is, with Hearth's package or because Google does not switch it off.
    case stays
    /// Another call takes its place.
    case changes
    /// Hearth has nothing like it.
    case noCounterpart
}

/// What the check knows about a part of Google's APIs.
///
/// A name, an import or a library that ends with `*` stands for all that begin in the same way.
struct APIRule: Sendable {
    /// For readers, such as "Firebase ML, model downloads".
    let api: String
    let languages: [SourceLanguage]
    /// The library of the names below. Other libraries and the app itself may have types with the same names, so they count
    /// only in files that import one of these modules. Empty if the names are unique.
    var modules: [String] = []
    /// Modules that have the same names for something else.
    var otherModules: [String] = []
    /// Words of which the file must have one; empty if none is needed. Some classes serve Firebase's models and Google's own.
    var companions: [String] = []
    /// Types and functions.
    var names: [String] = []
    /// Methods and properties, which count only where they are used as such.
    var members: [String] = []
    /// Modules whose import is a finding itself, with everything in them.
    var imports: [String] = []
    /// Libraries in manifests.
    var libraries: [String] = []
    let verdict: APIVerdict
    /// What to do.
    let advice: String
    /// The day on which it stops, as `2027-06-15`; nil if Google announced none.
    var ends: String?

    /// Google switches off the hosting of models on this day.
    static let hostingEnds = "2027-06-15"
    static let apple: [SourceLanguage] = [.swift, .objectiveC]
    static let android: [SourceLanguage] = [.kotlin, .java]
    static let appleManifests: [SourceLanguage] = [.podfile, .package, .xcode]
    static let androidManifests: [SourceLanguage] = [.gradle, .catalog]

    /// All rules. The first one that fits decides.
    static let all = hostedModels + earlierAPIs + localModels + tensorFlow + googlesModels + otherServices

    static let byLanguage: [SourceLanguage: [APIRule]] = Dictionary(
        uniqueKeysWithValues: SourceLanguage.allCases.map { language in
            (language, all.filter { $0.languages.contains(language) })
        })
}

extension APIRule {
    /// Whether one of the modules is imported here, or something in it.
    func isModule(_ name: String) -> Bool { modules.isEmpty || modules.contains { Self.covers($0, name) } }

    /// Whether the import of this name is a finding.
    func isImport(_ name: String) -> Bool { imports.contains { Self.covers($0, name) } }

    func isLibrary(_ name: String) -> Bool { libraries.contains { Self.covers($0, name) } }

    /// Whether the names count in a file with these imports and words.
    func isActive(imports: [String], words: Set<String>) -> Bool {
        (modules.isEmpty || imports.contains(where: isModule))
            && !imports.contains { name in otherModules.contains { Self.covers($0, name) } }
            && (companions.isEmpty || companions.contains(where: words.contains))
    }

    /// A module, a header in its folder, a class of a package, a version of a library.
    private static func covers(_ pattern: String, _ name: String) -> Bool {
        if pattern.hasSuffix("*") { return name.hasPrefix(pattern.dropLast()) }
        guard name.hasPrefix(pattern) else { return false }
        let next = name.utf8.dropFirst(pattern.utf8.count).first
        return next == nil || [".", "/", ":"].map { UInt8(ascii: $0) }.contains(next)
    }
}
