import Foundation
import HearthArguments
import HearthTestSupport
import Testing

@testable import HearthCommandLine
@testable import HearthDeviceCommands
@testable import HearthLocalCommands
@testable import HearthManagementCommands
@testable import HearthOperatorCommands

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

/// The one list of the commands, which the help of both programs shows.
@Suite struct CommandSummaryTests {
    @Test func theFullProgramRunsAllInTheOrderOfTheList() {
        #expect(HearthCommand.configuration.subcommands.map { CommandSummary($0) } == CommandSummary.all)
    }

    @Test func theQuickProgramListsTheSame() {
        #expect(QuickCommand.helpMessage(columns: 80) == HearthCommand.helpMessage(columns: 80))
        let own = QuickCommand.configuration.subcommands.map { CommandSummary($0) }
        #expect(own == [.pack, .label, .detect, .bench])
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

/// Old names of commands, options and variables are refused with the new name.
@Suite struct OldCommandNameTests {
    /// An old name that a command refuses.
    private struct Rename: CustomTestStringConvertible, Sendable {
        let path: [String]
        let command: any ParsableCommand.Type
        let old: String
        let new: String

        var testDescription: String { "\(path.joined(separator: " ")) \(old)" }
    }

    private static func renames(_ command: any ParsableCommand.Type, _ path: [String]) -> [Rename] {
        let own = command.configuration.renamed.sorted { $0.key < $1.key }.map {
            Rename(path: path, command: command, old: $0.key, new: $0.value)
        }
        return own
            + command.configuration.subcommands.flatMap { renames($0, path + [$0.configuration.commandName ?? ""]) }
    }

    private static let all = renames(HearthCommand.self, [])

    @Test func allNamesAreLookedAt() {
        let names = Set(Self.all.map { ($0.path + [$0.old]).joined(separator: " ") })
        #expect(names.count == 22 && Self.all.count == names.count, "\(names.sorted())")
        #expect(names.isSuperset(of: ["config", "keys token end", "label --config", "remoteconfig put --check"]))
    }

    @Test(arguments: all) private func itIsRefusedAndTheNewNameExists(rename: Rename) throws {
        let arguments = rename.path + [rename.old]
        let error = try #require(throws: (any Error).self) { try HearthCommand.parseAsRoot(arguments) }
        #expect(HearthCommand.message(for: error) == "'\(rename.old)' is now '\(rename.new)'.")
        #expect(HearthCommand.exitCode(for: error) == .validationFailure)
        let help = HearthCommand.helpMessage(for: rename.command, columns: 200)
        #expect(help.contains("\(rename.new) ") && !help.contains(" \(rename.old) "), "\(help)")
    }

    @Test func theQuickProgramRefusesTheSame() {
        for (quick, full) in [
            (QuickCommand.configuration, HearthCommand.configuration),
            (LabelCommand<ForwardingModelSource>.configuration, LabelCommand<DownloadedModels>.configuration),
        ] {
            #expect(quick.renamed == full.renamed && !quick.renamed.isEmpty)
        }
    }

    @Test func theChangelogListsAllOfThem() throws {
        let text = try String(contentsOf: TestPaths.package.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }.filter {
            $0.count == 3
        }
        let commands = Self.all.map { (($0.path.first ?? ""), $0.old, $0.new) }
        let variables = RenamedVariables.names.map { ("", $0.key, $0.value) }
        for (command, old, new) in commands + variables {
            let isListed = rows.contains {
                $0[1].contains(new) && (command.isEmpty || $0[1].contains(command)) && $0[2].contains(old)
            }
            #expect(isListed, "\(command) \(old) -> \(new)")
        }
    }

    /// `serve --config` names the server's settings, and keeps its name.
    @Test func theOptionOfTheServerIsAnotherOne() throws {
        let help = HearthCommand.helpMessage(for: ServeCommand.self)
        #expect(help.contains("--config <") && !help.contains("--app-config"))
        #expect(try ServeCommand.parse(["--config", "hearth.conf"]).configurationFile == "hearth.conf")
    }

    @Test(
        arguments: [
            ([:], nil), (["HEARTH_CONFIG": ""], nil), (["HEARTH_APP_CONFIG": "f"], nil),
            (["HEARTH_CONFIG": "f"], "'HEARTH_CONFIG' is now 'HEARTH_APP_CONFIG'."),
        ] as [([String: String], String?)])
    func variables(environment: [String: String], refusal: String?) {
        var found: String?
        do throws(ValidationError) { try RenamedVariables.check(environment) } catch { found = error.message }
        #expect(found == refusal)
    }

    private static let guides = TestPaths.package.appendingPathComponent("docs/guides")

    private static func pages() throws -> [URL] {
        let guides = try FileManager.default.contentsOfDirectory(at: guides, includingPropertiesForKeys: nil)
        return ["README.md", "CONTRIBUTING.md"].map(TestPaths.package.appendingPathComponent)
            + guides.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
    }

    /// The commands on a page: lines of code, and `code` in sentences.
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
            // Without commands the test would check nothing.
            let known = [
                "README.md", "command-line.md", "keys.md", "releases.md", "remote-config.md", "server-disks.md",
            ]
            #expect(!commands.isEmpty || !known.contains(page.lastPathComponent), "\(page.path)")
        }
    }

    /// The help of the path exists, under the same names.
    private func expectPresent(_ path: [String], _ line: String) {
        do {
            _ = try HearthCommand.parseAsRoot(["help"] + path.prefix(3))
        } catch {
            let message = HearthCommand.message(for: error)
            guard let usage = message.split(separator: "\n").first(where: { $0.hasPrefix("USAGE: ") }) else {
                // A word behind the command may be a model's name.
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
