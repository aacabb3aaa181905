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

    @Test(arguments: [
        "README.md", "docs/guides/curl.md", "docs/guides/delivery.md", "docs/guides/experiments.md",
        "docs/guides/firebase-admin.md", "docs/guides/keys.md", "docs/guides/migrate.md", "docs/guides/releases.md",
        "docs/guides/remote-config.md", "docs/guides/server.md", "docs/guides/vision.md",
    ])
    func guidesUsePresentNamesOnly(page: String) throws {
        let text = try String(contentsOf: TestPaths.package.appendingPathComponent(page), encoding: .utf8)
        var count = 0
        for line in text.split(separator: "\n") {
            guard line.hasPrefix("hearth ") else { continue }
            let words = line.split(separator: " ").dropFirst().map(String.init)
            let path = Array(words.prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-") })
            count += 1
            expectPresent(path, String(line))
        }
        // What this test would say of a page without commands means nothing.
        #expect(count > 0 || !text.contains("\nhearth "))
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
