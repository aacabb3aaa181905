import HearthCatalog

extension Condition {
    /// Probable mistakes, one line each: words that no known device sends, so that a term never holds, or always.
    package var warnings: [String] {
        terms.flatMap { term -> [String] in
            switch term {
            // Remote Config also answers Firebase's web client.
            case .word(.operatingSystem, _, let words):
                words.sorted().compactMap { AudienceWarnings.operatingSystem($0, others: ["web"]) }
            case .word(.country, _, let words): words.sorted().compactMap(AudienceWarnings.country)
            case .language(let tags): tags.compactMap(AudienceWarnings.language)
            default: []
            }
        }
    }
}
