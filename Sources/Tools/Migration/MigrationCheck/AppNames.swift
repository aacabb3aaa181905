/// What an app's files say about each other.
struct AppNames {
    /// A part of the app with names of its own: a folder with a project, and a language.
    struct Part: Hashable {
        var project: String
        var language: SourceLanguage
    }

    /// Names that the app defines.
    private(set) var own: [Part: Set<String>] = [:]
    /// Libraries that one file imports for all files.
    private(set) var shared: [String: Set<String>] = [:]
    /// Libraries by their names in version catalogs.
    private(set) var catalog: [String: String] = [:]
    /// The app's own packages, in Kotlin and Java.
    private(set) var packages: Set<String> = []

    mutating func add(_ text: SourceText, _ file: SourcePlace) {
        if let package = text.package { packages.insert(package) }
        if !text.ownNames.isEmpty {
            own[Part(project: file.project, language: file.language), default: []].formUnion(text.ownNames)
        }
        // Swift files see what a bridging header or a prefix header imports.
        let isHeader = file.path.hasSuffix("Bridging-Header.h") || file.path.hasSuffix(".pch")
        for item in text.imports where item.isShared || isHeader {
            shared[file.project, default: []].insert(item.name)
        }
        catalog.merge(text.catalog) { first, _ in first }
    }

    /// Whether it is a class of the app, or one that its build generates.
    func isOwn(_ importedName: String) -> Bool {
        let parts = importedName.split(separator: ".")
        if ["R", "BuildConfig"].contains(parts.last) || parts.contains("databinding") { return true }
        var package = ""
        for part in parts.dropLast() {
            package += package.isEmpty ? String(part) : ".\(part)"
            if packages.contains(package) { return true }
        }
        return false
    }
}

/// A file that the check reads.
struct SourcePlace {
    /// Below the app's folder.
    var path: String
    /// The folder of the project that it belongs to, below the app's folder.
    var project: String
    var language: SourceLanguage
}
