/// What becomes of a call when an app leaves Firebase.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// The call works as it is, with Hearth's package or because Google does not switch it off.
    case stays
    /// Another call takes its place.
    case changes
    /// Hearth has nothing like it.
    case noCounterpart
}

/// What the check knows about a part of Google's APIs.
struct APIRule: Sendable {
    /// For readers, such as "Firebase ML, model downloads".
    let api: String
    let languages: [SourceLanguage]
    /// The library of the names below. Other libraries and the app itself may have types with the same names, so they count
    /// only in files that import a module with one of these prefixes. Empty if the names are unique.
    var modules: [String] = []
    /// Words of which the file must have one; empty if none is needed. Some classes serve Firebase's models and Google's own.
    var companions: [String] = []
    /// Types and functions.
    var names: [String] = []
    /// Methods and properties, which count only after a dot.
    var members: [String] = []
    /// Modules whose import is a finding itself, by the beginning of their names.
    var imports: [String] = []
    /// Libraries in manifests: their names, or the beginning of them.
    var libraries: [String] = []
    let verdict: Verdict
    /// What to do.
    let advice: String
    /// The day on which it stops, as `2027-06-15`; nil if Google announced none.
    var ends: String?

    /// Google switches off the hosting of models on this day.
    static let hostingEnds = "2027-06-15"
    static let apple: [SourceLanguage] = [.swift, .objectiveC]
    static let android: [SourceLanguage] = [.kotlin, .java]

    /// All rules. The first one that fits decides.
    static let all = hostedModels + removedClasses + localModels + googlesModels + otherServices
}
