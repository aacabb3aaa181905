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
            let file = output ?? String(url.prefix { $0 != "?" && $0 != "#" })
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
        guard !reader.downloads.isEmpty else {
            throw FirebaseError(
                .invalidFile,
                "There is no address to download in this text. Paste the whole command that the Firebase console shows."
            )
        }
        self.items = items
        self.problems = problems
    }

    /// Follows the words of the command.
    private struct Reader {
        private(set) var downloads: [(url: String, output: String?)] = []
        private var urls: [String] = []
        private var outputs: [String] = []
        private var pending: Pending?

        private enum Pending {
            case output, url, ignored
        }

        /// Options of curl that have a value which does not matter here.
        private static let withValue: Set<String> = [
            "-H", "--header", "--output-dir", "--retry", "--retry-delay", "--max-time", "-m", "-A", "--user-agent",
            "-w",
            "--write-out", "-X", "--request", "--parallel-max", "--connect-timeout", "-b", "--cookie",
        ]

        mutating func take(_ word: Word) {
            guard case .text(let text) = word else { return endCommand() }
            if let pending {
                self.pending = nil
                switch pending {
                case .output: outputs.append(text)
                case .url: urls.append(text)
                case .ignored: break
                }
                return
            }
            switch text {
            case "-o", "--output": pending = .output
            case "--url": pending = .url
            case _ where Self.withValue.contains(text): pending = .ignored
            case _ where text.hasPrefix("--output="): outputs.append(String(text.dropFirst(9)))
            case _ where text.hasPrefix("--url="): urls.append(String(text.dropFirst(6)))
            case _ where text.hasPrefix("https://") || text.hasPrefix("http://"): urls.append(text)
            default: break
            }
        }

        /// Curl pairs the first address with the first output, and so on.
        mutating func endCommand() {
            for (index, url) in urls.enumerated() {
                downloads.append((url, index < outputs.count ? outputs[index] : nil))
            }
            urls = []
            outputs = []
            pending = nil
        }
    }

    private enum Word {
        case text(String)
        /// `;`, `&&`, `|` or the end of a line.
        case end
    }

    /// The words of a shell command: quotes, backslashes, and lines that end with a backslash.
    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        func finish() {
            if let found = word { words.append(.text(found)) }
            word = nil
        }
        for character in text {
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
            } else if character.isNewline || ";|&".contains(character) {
                finish()
                words.append(.end)
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
