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
        package var verdict: APIVerdict
        package var advice: String
        /// The day on which it stops working; nil if Google announced none.
        package var ends: String?

        private static let longestCall = 200

        fileprivate init(_ call: String, _ line: Int, _ file: SourcePlace, _ rule: APIRule) {
            self.file = file.path
            self.line = line
            self.call = String(call.prefix(Self.longestCall))
            api = rule.api
            verdict = rule.verdict
            advice = rule.advice
            ends = rule.ends
        }
    }

    /// What the check found.
    package struct Report: Codable, Sendable {
        package var filesRead = 0
        /// In the order of the files and lines.
        package var findings: [Finding] = []
        /// Findings above the limit, which are not listed.
        package var findingsLeftOut = 0
        /// Files and folders that could not be read, with the reason.
        package var unread: [String: String] = [:]

        package init() {}
    }

    private let folder: String
    private let mostFindings: Int
    private let files = DiskFiles()

    private static let longestFileBytes = 4 << 20

    /// - Parameters:
    ///   - folder: the app's folder.
    ///   - mostFindings: the report lists no more.
    package init(folder: String, mostFindings: Int = 100_000) {
        self.folder = folder
        self.mostFindings = mostFindings
    }

    /// - Throws: `FileError` if the folder itself cannot be read.
    package func run() throws(FileError) -> Report {
        var report = Report()
        let sources = try SourceFolder(path: folder).list(&report.unread)
        // What one file declares decides what the words of another one mean.
        var app = AppNames()
        for file in sources {
            if let text = read(file, &report) { app.add(text, file) }
        }
        for file in sources where report.unread[file.path] == nil {
            guard let text = read(file, &report) else { continue }
            report.filesRead += 1
            let found = Self.findings(in: text, file, app)
            let room = max(0, mostFindings - report.findings.count)
            report.findings += found.prefix(room)
            report.findingsLeftOut += max(0, found.count - room)
        }
        report.findings.sort { ($0.file, $0.line, $0.call) < ($1.file, $1.line, $1.call) }
        return report
    }

    /// Nil if the file cannot be read; the report says why.
    private func read(_ file: SourcePlace, _ report: inout Report) -> SourceText? {
        do throws(FileError) {
            let bytes = try files.read("\(folder)/\(file.path)", limitBytes: Self.longestFileBytes)
            guard SourceText.isText(bytes) else {
                report.unread[file.path] = "It is not a text."
                return nil
            }
            return SourceText(bytes, file.language)
        } catch {
            report.unread[file.path] = error.reason
            return nil
        }
    }

    private static func findings(in text: SourceText, _ file: SourcePlace, _ app: AppNames) -> [Finding] {
        let matcher = RuleMatcher(text, file, app)
        var found: [Finding] = []
        for item in text.imports where !app.isOwn(item.name) {
            if let rule = matcher.rule(forImport: item.name) {
                found.append(Finding("import \(item.name)", item.line, file, rule))
            }
        }
        for literal in text.literals {
            if let rule = matcher.rule(forLibrary: literal.text) {
                found.append(Finding(literal.text, literal.line, file, rule))
            }
        }
        for accessor in text.accessors {
            if let library = app.catalog[accessor.text], let rule = matcher.rule(forLibrary: library) {
                found.append(Finding(accessor.text, accessor.line, file, rule))
            }
        }
        // The same call counts once in a line.
        var seen: (line: Int, calls: Set<String>) = (0, [])
        for word in text.words {
            guard let match = matcher.match(word) else { continue }
            if word.line != seen.line { seen = (word.line, []) }
            if seen.calls.insert(match.call).inserted {
                found.append(Finding(match.call, word.line, file, match.rule))
            }
        }
        return found
    }
}
