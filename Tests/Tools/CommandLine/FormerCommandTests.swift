import Foundation
import HearthArguments
import HearthTestSupport
import Testing

@testable import HearthCommandLine

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
