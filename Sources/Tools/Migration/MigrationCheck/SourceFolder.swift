import HearthFiles

/// Lists the source files below a folder.
struct SourceFolder {
    /// The folder itself, absolute or below the current one.
    var path: String
    var mostFiles = 100_000

    /// Folders of libraries and of builds, which are not the app's own sources.
    private static let skipped: Set<String> = [
        "Pods", "Carthage", "DerivedData", "build", "node_modules", "checkouts", "vendor",
    ]

    /// Files that name libraries in forms which the check does not know.
    private static let unknownManifests: Set<String> = ["pubspec.yaml", "Cartfile", "project.yml", "Project.swift"]

    /// - Parameter unread: gets what cannot be read, with the reason.
    /// - Throws: `FileError` if the folder itself cannot be read.
    func list(_ unread: inout [String: String]) throws(FileError) -> [SourcePlace] {
        var sources: [SourcePlace] = []
        var folders = [(path: "", project: "")]
        while let next = folders.popLast() {
            let names: [String]
            do throws(FileError) {
                names = try DiskFiles().list(next.path.isEmpty ? path : "\(path)/\(next.path)")
            } catch {
                guard !next.path.isEmpty else { throw error }
                unread[next.path] = error.reason
                continue
            }
            let project = names.contains(where: SourceLanguage.isProject) ? next.path : next.project
            var inside: [(path: String, project: String)] = []
            for name in names where !name.hasPrefix(".") {
                let place = next.path.isEmpty ? name : "\(next.path)/\(name)"
                let language = SourceLanguage(fileName: name)
                switch PathKind("\(path)/\(place)") {
                case .folder:
                    if !Self.skipped.contains(name) { inside.append((place, project)) }
                case .file:
                    if Self.unknownManifests.contains(name) {
                        unread[place] =
                            "The check does not know this form. Look for Firebase's and Google's libraries in it."
                    }
                    guard let language else { continue }
                    guard sources.count < mostFiles else {
                        unread[next.path] = "The check reads at most \(mostFiles) files."
                        return sources
                    }
                    sources.append(SourcePlace(path: place, project: project, language: language))
                // A link may lead out of the app, or in a circle.
                case .link, .other: continue
                case .absent, .unknown: unread[place] = "The system does not find it by this name."
                }
            }
            folders += inside.reversed()
        }
        return sources
    }
}
