import Foundation
import HearthWire

/// The command that the Firebase console gives for a bulk download: one or more calls of `curl`, each of which saves files
/// under the names of the models.
///
/// The command is read and never run. Its exact form is not documented: this reads what `curl` would download, whatever the
/// order of its options.
package struct BulkDownloadCommand: Sendable {
    /// A file that the command downloads.
    package struct Item: Hashable, Sendable {
        /// The model's name, from the name of the file.
        package var name: String
        package var url: String
    }

    /// In the order of the command.
    package let items: [Item]
    /// What cannot be imported, a sentence each.
    package let problems: [String]

    /// - Throws: `invalidFile` if the text has no address to download.
    package init(_ text: String) throws(FirebaseError) {
        var reader = Reader()
        for word in Self.words(text) { reader.take(word) }
        reader.endCommand()
        var items: [Item] = []
        var problems: [String] = []
        for (url, output) in reader.downloads {
            guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
                problems.append("\(Self.shown(url)): this is no address that begins with https://.")
                continue
            }
            // Only an address has its slashes encoded.
            let file = output ?? Self.shown(url).removingPercentEncoding ?? ""
            let last = file.split(separator: "/").last.map(String.init) ?? ""
            let name = last.hasSuffix(".tflite") ? String(last.dropLast(7)) : last
            if !WireNames.isDisplayName(name) {
                problems.append(
                    "\(last.printable): this is no name of a model: 1 to 32 letters, digits, hyphens or underscores.")
            } else if items.contains(where: { $0.name == name }) {
                problems.append(
                    "\(name): the command downloads two files of this name; only the first one is imported.")
            } else {
                items.append(Item(name: name, url: url))
            }
        }
        problems += reader.problems
        guard !reader.downloads.isEmpty else {
            throw FirebaseError(
                .invalidFile,
                "There is no address to download in this text. Paste the whole command that the Firebase console shows."
            )
        }
        self.items = items
        self.problems = problems
    }

    /// An address without its query, which opens the file.
    private static func shown(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// Follows the words of the command.
    private struct Reader {
        private(set) var downloads: [(url: String, output: String?)] = []
        private(set) var problems: [String] = []
        /// Whether the words are those of a call of curl.
        private var isCurl: Bool?
        private var urls: [String] = []
        /// Nil where curl takes the name out of the address.
        private var outputs: [String?] = []
        private var pending: Pending?

        private enum Pending {
            case output, url, ignored
        }

        /// Options of curl with a value that does not matter here.
        private static let ignoredOptions: Set<String> = [
            "--header", "--output-dir", "--retry", "--retry-delay", "--retry-max-time", "--max-time", "--user-agent",
            "--write-out", "--request", "--parallel-max", "--connect-timeout", "--cookie", "--referer", "--limit-rate",
            "--cacert", "--proxy", "--range", "--continue-at", "--max-redirs", "--resolve", "--data", "--user",
        ]
        /// Letters of options of curl with a value that does not matter here. They may stand together: `-sSLo FILE`.
        private static let ignoredLetters = Set("HmAwXbeTrCxudEFPQtyYzKc")

        mutating func take(_ word: Word) {
            switch word {
            case .text(let text): take(text)
            // As curl's own option for the file.
            case .redirection(let isOfOutput): pending = isOfOutput ? .output : .ignored
            case .end: endCommand()
            }
        }

        private mutating func take(_ text: String) {
            if let pending {
                self.pending = nil
                return take(text, for: pending)
            }
            guard let isCurl else { return takeFirst(text) }
            guard isCurl else { return }
            if text.hasPrefix("--") {
                takeOption(text)
            } else if text.hasPrefix("-"), text != "-" {
                takeLetters(text.dropFirst())
            } else {
                urls.append(text)
            }
        }

        private mutating func takeFirst(_ text: String) {
            if text.hasPrefix("https://") || text.hasPrefix("http://") {
                // Somebody pasted the addresses alone.
                isCurl = true
                urls.append(text)
            } else if text != "$", !text.contains("=") {
                isCurl = text == "curl" || text.hasSuffix("/curl") || text == "curl.exe"
            }
        }

        private mutating func take(_ value: String, for option: Pending) {
            switch option {
            case .output: outputs.append(value)
            case .url: urls.append(value)
            case .ignored: break
            }
        }

        private mutating func takeOption(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--output": pending = .output
            case "--url": pending = .url
            case "--remote-name": outputs.append(nil)
            case "--next": endCall()
            case "--config":
                problems.append("\(text.printable): addresses in a file of options are not read; paste them.")
                pending = .ignored
            case let name where Self.ignoredOptions.contains(name): pending = .ignored
            default: break
            }
            if parts.count == 2, let option = pending {
                pending = nil
                take(parts[1], for: option)
            }
        }

        private mutating func takeLetters(_ letters: Substring) {
            guard let letter = letters.first else { return }
            let rest = letters.dropFirst()
            switch letter {
            case "o": pending = .output
            case "O": outputs.append(nil)
            case ":": endCall()
            case _ where Self.ignoredLetters.contains(letter):
                if letter == "K" { problems.append("-K: addresses in a file of options are not read; paste them.") }
                pending = .ignored
            default: break
            }
            guard let option = pending else { return takeLetters(rest) }
            guard !rest.isEmpty else { return }
            pending = nil
            take(String(rest), for: option)
        }

        /// Curl pairs the first address with the first output, and so on.
        private mutating func endCall() {
            for (index, url) in urls.enumerated() {
                downloads.append((url, index < outputs.count ? outputs[index] : nil))
            }
            urls = []
            outputs = []
            pending = nil
        }

        mutating func endCommand() {
            endCall()
            isCurl = nil
        }
    }

    private enum Word {
        case text(String)
        /// `>` or `>>`, or one for messages such as `2>`; the next word is the file.
        case redirection(isOfOutput: Bool)
        /// `;`, `&&`, `|` or the end of a line.
        case end
    }

    /// The words of a shell command: quotes, backslashes, and lines that end with a backslash.
    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        var isComment = false
        func finish() {
            if let found = word { words.append(.text(found)) }
            word = nil
        }
        var isAfterRedirection = false
        for character in text {
            if isComment, !character.isNewline { continue }
            let continuesRedirection = isAfterRedirection
            isAfterRedirection = false
            if isEscaped {
                isEscaped = false
                // A backslash at the end of a line joins it with the next one.
                if !character.isNewline { word = (word ?? "") + String(character) }
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == "&", continuesRedirection {
                // `2>&1`: the next word is no file, but the number of an output.
                words[words.count - 1] = .redirection(isOfOutput: false)
            } else if character.isNewline || ";|&()".contains(character) {
                isComment = false
                finish()
                words.append(.end)
            } else if character == "#", word == nil {
                isComment = true
            } else if character == ">" {
                isAfterRedirection = true
                // The second one of `>>`.
                if continuesRedirection { continue }
                let isOfMessages = word.map { $0 != "1" && $0.allSatisfy(\.isNumber) } == true
                if word?.allSatisfy(\.isNumber) == true { word = nil }
                finish()
                words.append(.redirection(isOfOutput: !isOfMessages))
            } else if character.isWhitespace {
                finish()
            } else {
                word = (word ?? "") + String(character)
            }
        }
        finish()
        return words
    }
}
