import HearthArguments
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
            if place.root == QuickCommand.self, QuickCommand.handedOver(arguments) != nil { continue }
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
