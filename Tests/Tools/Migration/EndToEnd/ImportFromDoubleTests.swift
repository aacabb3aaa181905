import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// `hearth import firebase` from the double of Google's calls, with its pages, short tokens and missing places.
    @Suite struct ImportFromDoubleTests {
        private struct Expected: Decodable {
            struct Model: Decodable {
                var name: String
                var tags: [String]
                var published: Bool
                var sha256: String
                var bytesBy: String?
            }
            var models: [Model]
        }

        private let server: ServerProcess
        private let folder: TemporaryFolder
        private let double: RunningProgram
        private let url: String

        init() throws {
            server = try ServerProcess()
            folder = try TemporaryFolder()
            double = try RunningProgram(
                TestPaths.package.appendingPathComponent("scripts/firebase-double").path,
                [
                    "--folder", folder.path, "--model-bytes", "200000", "--versions", "12", "--page-limit", "4",
                    "--token-seconds", "1", "--link-seconds", "1",
                ])
            let ready = try double.readOutput(until: "\n", seconds: 60)
            url = try #require(ready.split(separator: " ").last.map { String($0.prefix { !$0.isNewline }) })
        }

        private func imports(_ source: [String], _ options: String..., exitCode: Int32 = 0) throws -> ProcessResult {
            let ending = try server.hearth(
                ["import", "firebase", "--endpoint", url, "--keep", folder.path + "/kept"] + source + options)
            #expect(ending.exitCode == exitCode, "\(ending.errors)")
            return ending
        }

        private var account: [String] {
            [
                "--service-account", folder.path + "/service-account.json", "--plist",
                folder.path + "/GoogleService-Info.plist",
            ]
        }

        private func models() throws -> [String: ModelResource] {
            struct List: Decodable { var models: [ModelResource]? }
            let text = try server.hearth("models", "list", "--json").output
            let list = try WireJSON.decode(List.self, from: text.utf8).models ?? []
            return Dictionary(uniqueKeysWithValues: list.map { ($0.displayName ?? "", $0) })
        }

        @Test("A dry run changes nothing; the import brings everything that Firebase gives, and names the rest")
        func serviceAccount() throws {
            let dry = try imports(account, "--dry-run")
            #expect(dry.output.contains("would be new"))
            #expect(try models().isEmpty)
            #expect(try !server.hearth("remoteconfig", "versions").output.contains("person0@example.com"))

            let fetched = try imports(account, "--fetch-only").output
            let text = try imports(account, "--trace", folder.path + "/trace").output
            let expected = try WireJSON.decode(
                Expected.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path + "/expected.json")))
            let found = try models()
            for model in expected.models where model.bytesBy != nil {
                #expect(found[model.name]?.modelHash == model.sha256, "\(model.name)")
                #expect(fetched.contains(model.sha256), "\(model.name)")
                #expect((found[model.name]?.state?.published == true) == model.published, "\(model.name)")
                #expect((found[model.name]?.tags ?? []).sorted() == model.tags.sorted(), "\(model.name)")
            }
            for model in expected.models where model.bytesBy == nil {
                #expect(found[model.name] == nil)
                #expect(text.contains("\(model.name): Firebase"), "\(model.name)")
            }
            let versions = try server.hearth("remoteconfig", "versions").output
            #expect(versions.contains("person2@example.com"))
            for part in [
                "app.audiences", "mysteryValue", "personalization", "rollout_0", "hearth experiments start",
                "deploymentHint",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            let parts = text.split(separator: "Impossible, because")
            #expect(parts.count == 2 && parts[0].contains("Different from before:"))
            for words in ["rollout_0 continues", "assigned anew"] {
                #expect(parts[0].contains(words) && !parts[1].contains(words), "\(words)")
            }
            #expect(
                !text.contains("Not compared with a hash"),
                "the storage names a checksum of the only model without a hash")
            #expect(!text.contains("models publish"), "what Firebase does not publish needs no publication")

            let again = try imports(account).output
            #expect(!again.contains(" new ") && again.contains("0 imported, 12 were there already."), "\(again)")
            try expectNoSecrets()
        }

        private func expectNoSecrets() throws {
            let script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
            let answer = try RunningProgram("/usr/bin/env", ["python3", "-c", script, url + "/double/secrets"])
                .waitForExit(seconds: 60)
            let secrets = try WireJSON.decode([String].self, from: answer.output.utf8)
            #expect(secrets.count > 5)
            let trace = try String(contentsOfFile: folder.path + "/trace", encoding: .utf8)
            #expect(trace.contains("listVersions"))
            for secret in secrets + ["@example.com"] { #expect(!trace.contains(secret)) }
        }

        @Test("The other sources bring what they have")
        func otherSources() throws {
            let device = try imports(["--plist", folder.path + "/GoogleService-Info.plist", "--model", "Model_2"])
            #expect(device.output.contains("Tags: devices learn none."))
            #expect(device.output.contains("Remote Config and experiments: import them with --service-account."))
            #expect(try models()["Model_2"]?.state?.published == true)
            let command = try server.hearth(
                "import", "firebase", "--endpoint", url, "--keep", folder.path + "/pasted", "--command",
                folder.path + "/bulk-download.txt")
            #expect(command.exitCode == 0)
            #expect(try models().count == 7)
            #expect(command.output.contains("hearth models publish NAME: for each"))
            #expect(!command.output.contains("models publish Model_4"))
            #expect(command.output.contains("Remote Config and experiments: import them with --service-account."))
        }
    }
}
