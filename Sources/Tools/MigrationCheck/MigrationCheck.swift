import Foundation
package import HearthFiles

/// Reads an app's sources, and says of each call of Google's APIs what becomes of it.
///
/// It compares names, and knows no types. A name that several libraries have counts only in a file that imports the right one.
package struct MigrationCheck {
    /// A call, an import or a library of the app.
    package struct Finding: Codable, Hashable, Sendable {
        /// Below the app's folder.
        package var file: String
        /// From 1.
        package var line: Int
        /// What stands there.
        package var call: String
        package var api: String
        package var verdict: Verdict
        package var advice: String
        /// The day on which it stops working; nil if Google announced none.
        package var ends: String?
    }

    /// What the check found.
    package struct Report: Codable, Sendable {
        package var filesRead = 0
        /// In the order of the files and lines.
        package var findings: [Finding] = []
        /// Files that could not be read, with the reason.
        package var unread: [String: String] = [:]

        package init() {}
    }

    private let folder: String
    private let files = DiskFiles()

    /// Folders of libraries and of builds, which are not the app's own sources.
    private static let skippedFolders: Set<String> = [
        "Pods", "Carthage", "DerivedData", "build", "node_modules", "checkouts", "vendor",
    ]
    private static let longestFileBytes = 4 << 20

    /// - Parameter folder: the app's folder.
    package init(folder: String) { self.folder = folder }

    /// - Throws: `FileError` if the folder itself cannot be read.
    package func run() throws(FileError) -> Report {
        var report = Report()
        var ownPackages: Set<String> = []
        var folders = [""]
        while let next = folders.popLast() {
            let names: [String]
            do throws(FileError) {
                names = try files.list(join(folder, next)).sorted()
            } catch {
                guard !next.isEmpty else { throw error }
                report.unread[next] = error.reason
                continue
            }
            var inside: [String] = []
            for name in names where !name.hasPrefix(".") {
                let path = join(next, name)
                switch kind(of: path) {
                case .typeDirectory where !Self.skippedFolders.contains(name): inside.append(path)
                case .typeRegular: read(path, name, &report, &ownPackages)
                // A link may lead out of the app, or in a circle.
                default: break
                }
            }
            folders += inside.reversed()
        }
        // A package of the app itself may begin as one of Google's.
        report.findings.removeAll { finding in
            ownPackages.contains { finding.call.hasPrefix("import \($0).") }
        }
        report.findings.sort { ($0.file, $0.line, $0.call) < ($1.file, $1.line, $1.call) }
        return report
    }

    private func join(_ left: String, _ right: String) -> String {
        left.isEmpty ? right : right.isEmpty ? left : "\(left)/\(right)"
    }

    private func kind(of path: String) -> FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: join(folder, path))
        return attributes?[.type] as? FileAttributeType
    }

    private func read(_ path: String, _ name: String, _ report: inout Report, _ ownPackages: inout Set<String>) {
        guard let language = SourceLanguage(fileName: name) else { return }
        do throws(FileError) {
            let bytes = try files.read(join(folder, path), limitBytes: Self.longestFileBytes)
            report.filesRead += 1
            let text = SourceText(bytes, language)
            if let package = text.package { ownPackages.insert(package) }
            report.findings += Self.findings(in: text, language, path)
        } catch {
            report.unread[path] = error.reason
        }
    }

    static func findings(in text: SourceText, _ language: SourceLanguage, _ path: String) -> [Finding] {
        let rules = APIRule.all.filter { $0.languages.contains(language) }
        let imported = text.imports.map(\.name)
        var found: Set<Finding> = []
        func add(_ call: String, _ line: Int, _ rule: APIRule) {
            found.insert(
                Finding(
                    file: path, line: line, call: call, api: rule.api, verdict: rule.verdict, advice: rule.advice,
                    ends: rule.ends))
        }
        for item in text.imports {
            if let rule = rules.first(where: { $0.isImport(item.name) }) { add("import \(item.name)", item.line, rule) }
        }
        if language.isManifest {
            for literal in text.literals {
                if let rule = rules.first(where: { $0.isLibrary(literal.text) }) {
                    add(literal.text, literal.line, rule)
                }
            }
            return Array(found)
        }
        let words = Set(text.words.map(\.text))
        let active = rules.filter { $0.isActive(imported) && $0.hasCompanion(words) }
        for word in text.words {
            guard let rule = active.first(where: { $0.has(word) }) else { continue }
            add(word.isMember && rule.members.contains(word.text) ? ".\(word.text)" : word.text, word.line, rule)
        }
        return Array(found)
    }
}

extension APIRule {
    fileprivate func isImport(_ name: String) -> Bool {
        imports.contains { module in
            // A module, a header in its folder, a member of a package.
            name == module || name.hasPrefix(module + "/") || name.hasPrefix(module + ".")
                || (module.hasSuffix(".") && name.hasPrefix(module))
        }
    }

    fileprivate func isLibrary(_ text: String) -> Bool {
        libraries.contains { library in
            text == library || text.hasPrefix(library + ":") || text.hasPrefix(library + "/")
                || (library.hasSuffix(":") || library.hasSuffix("/")) && text.hasPrefix(library)
                || (library.contains("play-services") || library.contains("tensorflow-lite")
                    || library.contains("litert"))
                    && text.hasPrefix(library)
        }
    }

    /// Whether the file imports the library of the names.
    fileprivate func isActive(_ imported: [String]) -> Bool {
        modules.isEmpty
            || imported.contains { name in
                // ML Kit's modules all begin with its name, and Java's packages with that of the library.
                modules.contains { name == $0 || name.hasPrefix($0 + ".") || $0 == "MLKit" && name.hasPrefix($0) }
            }
    }

    fileprivate func hasCompanion(_ words: Set<String>) -> Bool {
        companions.isEmpty || companions.contains(where: words.contains)
    }

    fileprivate func has(_ word: SourceText.Word) -> Bool {
        names.contains(word.text) || word.isMember && members.contains(word.text)
    }
}
