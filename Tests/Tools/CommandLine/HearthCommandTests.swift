import Foundation
import HearthArguments
import HearthTestSupport
import Testing

@testable import HearthCommandLine
@testable import HearthLocalCommands

/// The examples in the help of every command.
@Suite struct CommandExampleTests {
    /// A command and its names from the root down.
    private struct Place: CustomTestStringConvertible, Sendable {
        let root: any ParsableCommand.Type
        let command: any ParsableCommand.Type
        let path: String

        var testDescription: String { "\(path) of \(root)" }
    }

    private static func places(
        _ root: any ParsableCommand.Type, _ command: any ParsableCommand.Type, _ path: String
    ) -> [Place] {
        // In the quick program these are names only: the full one answers, help included.
        if command is any HandedOverCommand.Type { return [] }
        let below = command.configuration.subcommands.flatMap {
            places(root, $0, "\(path) \($0.configuration.commandName ?? "")")
        }
        return [Place(root: root, command: command, path: path)] + below
    }

    private static let all =
        places(HearthCommand.self, HearthCommand.self, "hearth")
        + places(QuickCommand.self, QuickCommand.self, "hearth")

    @Test func allCommandsAreLookedAt() {
        #expect(Self.all.count > 80)
        #expect(Set(Self.all.map(\.path)).isSuperset(of: ["hearth", "hearth label", "hearth keys api rotate"]))
    }

    @Test(arguments: all) private func everyCommandHasExamplesOfItself(place: Place) {
        let examples = place.command.configuration.examples
        #expect((1...3).contains(examples.count))
        for example in examples {
            #expect(example.hasPrefix(place.path + " ") || example == place.path, "\(example)")
            #expect(example.count <= 98, "\(example)")
        }
    }

    @Test(arguments: all) private func everyExampleIsUnderstood(place: Place) throws {
        for example in place.command.configuration.examples {
            let arguments = Array(try #require(ShellWords(example)).words.dropFirst())
            if place.root == QuickCommand.self, QuickCommand.forwardedCommand(arguments) != nil { continue }
            let found = try place.root.parseAsRoot(arguments)
            let leaves = place.command.configuration.subcommands
            #expect(
                leaves.isEmpty ? type(of: found) == place.command : type(of: found) != place.command,
                "\(example) is understood as \(type(of: found))")
        }
    }
}

/// The words of a command line as a shell reads it, as far as examples need it: quotes, and redirections, which are left out.
private struct ShellWords {
    private(set) var words: [String] = []

    /// Nil for a quote without an end, and for what would need more of a shell.
    init?(_ line: String) {
        var word: String?
        var quote: Character?
        for letter in line {
            if let open = quote {
                if letter == open { quote = nil } else { word?.append(letter) }
            } else if letter == "'" || letter == "\"" {
                quote = letter
                word = word ?? ""
            } else if letter == " " {
                if let done = word { words.append(done) }
                word = nil
            } else if "|;&$`*?()".contains(letter) {
                return nil
            } else {
                word = (word ?? "") + String(letter)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(word) }
        while let place = words.firstIndex(where: { [">", "<", "3<"].contains($0) }) {
            guard place + 1 < words.count else { return nil }
            words.removeSubrange(place...place + 1)
        }
    }
}

/// The names that commands had in earlier versions work on.
@Suite struct FormerCommandTests {
    private func command(_ arguments: [String]) throws -> String {
        String(describing: type(of: try HearthCommand.parseAsRoot(arguments)))
    }

    @Test(arguments: [
        ("config get", "remoteconfig get"), ("config set a b", "remoteconfig set a b"),
        ("keys api end x", "keys api revoke x"), ("keys token end x", "keys token revoke x"),
        ("keys account revoke a@b --end-tokens", "keys account revoke a@b --revoke-tokens"),
        ("releases end m 2", "releases stop m 2"), ("experiments roll-out e v", "experiments rollout e v"),
        ("pull m --config f", "pull m --app-config f"), ("label m p --config f", "label m p --app-config f"),
        ("detect m p --config f", "detect m p --app-config f"),
        ("projects create robots --out f", "projects create robots --output f"),
        ("keys api plist --key - --out f", "keys api plist --key - -o f"),
        ("device list --config f", "device list --app-config f"),
    ])
    func theOldNameMeansTheSame(old: String, new: String) throws {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        #expect(try command(words(old)) == command(words(new)))
    }

    /// A server's configuration file is another thing, which keeps its name.
    @Test func theServersConfigurationIsItsOwn() throws {
        let help = HearthCommand.helpMessage(for: ServeCommand.self)
        #expect(help.contains("--config <") && !help.contains("--app-config"))
    }

    private static let guides = TestPaths.package.appendingPathComponent("docs/guides")

    private static func pages() throws -> [URL] {
        let guides = try FileManager.default.contentsOfDirectory(at: guides, includingPropertiesForKeys: nil)
        return ["README.md", "CONTRIBUTING.md"].map(TestPaths.package.appendingPathComponent)
            + guides.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
    }

    /// What pages tell readers to type: lines of code, and `code` in sentences.
    private static func commands(in text: String) -> [String] {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "$" } }
        let sentences = text.split(separator: "`", omittingEmptySubsequences: false)
        return (lines + sentences).filter { $0.hasPrefix("hearth ") || $0.hasPrefix("hearth\n") }.map(String.init)
    }

    @Test func guidesUsePresentNamesOnly() throws {
        for page in try Self.pages() {
            let commands = Self.commands(in: try String(contentsOf: page, encoding: .utf8))
            for command in commands {
                let words = command.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
                let path = Array(words.prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-") })
                expectPresent(path, "\(page.lastPathComponent): \(command)")
            }
            // Where this test finds no commands any more, it says nothing.
            let known = ["README.md", "command-line.md", "keys.md", "releases.md", "remote-config.md", "server.md"]
            #expect(!commands.isEmpty || !known.contains(page.lastPathComponent), "\(page.path)")
        }
    }

    /// Help shows the present name, whichever was given.
    private func expectPresent(_ path: [String], _ line: String) {
        do {
            _ = try HearthCommand.parseAsRoot(["help"] + path.prefix(3))
        } catch {
            let message = HearthCommand.message(for: error)
            guard let usage = message.split(separator: "\n").first(where: { $0.hasPrefix("USAGE: ") }) else {
                // A word behind the command, such as a model's name, is none.
                if path.count > 1 { return expectPresent(Array(path.dropLast()), line) }
                Issue.record("\(line): \(message)")
                return
            }
            let known = usage.split(separator: " ").dropFirst(2)
            for (word, name) in zip(path, known) where !name.hasPrefix("[") && !name.hasPrefix("<") {
                #expect(word == name, "\(line)")
            }
        }
    }
}
