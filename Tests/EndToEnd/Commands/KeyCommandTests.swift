import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Keys, tokens and projects: made, used, ended.
    @Suite struct KeyCommandTests {
        private let server: ServerProcess
        private let folder: TemporaryFolder

        init() throws {
            server = try ServerProcess()
            folder = try TemporaryFolder()
        }

        private func json<Value: Decodable>(_ type: Value.Type, _ arguments: String...) throws -> Value {
            let ending = try server.hearth(arguments + ["--json"])
            #expect(ending.exitCode == 0, "\(arguments): \(ending.errors)")
            return try WireJSON.decode(type, from: ending.output.utf8)
        }

        private func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }

        @Test func aServiceAccountWorksUntilItIsRevoked() throws {
            let file = folder.path + "/ci.json"
            let made = try server.hearth("keys", "account", "create", "ci", "--role", "viewer", "--output", file)
            #expect(made.exitCode == 0, "\(made.errors)")
            #expect(try mode(file) == 0o600)
            let key = try WireJSON.decode(
                ServiceAccountKey.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
            #expect(!made.output.contains("PRIVATE KEY") && made.output.contains(key.clientEmail))

            #expect(try server.hearth("models", "list", "--credentials", file).exitCode == 0)
            let push = try server.hearth("models", "push", "x", SampleModels.file, "--credentials", file)
            #expect(push.exitCode == 1 && push.errorLines.count == 1)

            // Not over another secret.
            let twice = try server.hearth("keys", "account", "add-key", key.clientEmail, "--output", file)
            #expect(twice.exitCode == 1 && twice.errors.contains("exists already"))
            let second = folder.path + "/second.json"
            #expect(try server.hearth("keys", "account", "add-key", key.clientEmail, "--output", second).exitCode == 0)
            let list = try server.hearth("keys", "account", "list").output
            #expect(list.contains(key.privateKeyID))
            #expect(
                try server.hearth(
                    "keys", "account", "revoke", key.clientEmail, "--key", key.privateKeyID, "--yes"
                ).exitCode == 0)
            #expect(try server.hearth("models", "list", "--credentials", file).exitCode == 1)
            #expect(try server.hearth("models", "list", "--credentials", second).exitCode == 0)
            #expect(try server.hearth("keys", "account", "revoke", key.clientEmail, "--yes").exitCode == 0)
            #expect(try server.hearth("models", "list", "--credentials", second).exitCode == 1)
        }

        @Test func aRevocationNamesTheTokensThatGoOnAndEndsThemWhenToldTo() throws {
            let file = folder.path + "/ann.json"
            let account = ["keys", "account", "create", "ann", "--role", "owner", "--output", file]
            #expect(try server.hearth(account).exitCode == 0)
            let made = try server.hearth("keys", "token", "create", "kept", "--credentials", file)
            let token = made.output.trimmingCharacters(in: .newlines)
            let email = "ann@hearth-default.iam.hearth.invalid"
            func works() throws -> Bool {
                try HearthProgram.run(
                    ["models", "list"], environment: ["HEARTH_TOKEN": token, "HEARTH_URL": server.url]
                ).exitCode == 0
            }
            let revoked = try server.hearth("keys", "account", "revoke", email, "--yes")
            #expect(revoked.exitCode == 0 && revoked.output.contains("Still valid: the admin token "))
            #expect(revoked.output.contains("'kept'") && revoked.errors.contains("--revoke-tokens"))
            #expect(try works())
            let ended = try server.hearth("keys", "account", "revoke", email, "--revoke-tokens", "--yes")
            #expect(ended.exitCode == 0 && ended.output.contains("Revoked the admin token "), "\(ended.errors)")
            #expect(try !works())

            let other = folder.path + "/bob.json"
            #expect(
                try server.hearth("keys", "account", "create", "bob", "--role", "owner", "--output", other).exitCode
                    == 0)
            let second = try server.hearth("keys", "token", "create", "gone", "--credentials", other, "--json").output
            let id = try WireJSON.decode(KeyBodies.AdminToken.self, from: second.utf8).id
            let told = try server.hearth("keys", "account", "revoke", "bob", "--revoke-tokens", "--yes", "--json")
                .output
            let expected = #"{"endedLinks":0,"endedTokens":["\#(id)"],"revoked":"bob","revokedTokens":["\#(id)"]}"#
            #expect(told == expected + "\n", "\(told)")
            // It is listed with the word that a second call says, too.
            let again = try server.hearth("keys", "token", "revoke", id, "--yes").output
            #expect(again.contains("was already revoked or expired"))
        }

        @Test func aTokenIsEnoughTogetherWithTheAddress() throws {
            let made = try server.hearth("keys", "token", "create", "script", "--lifetime", "1h")
            #expect(made.exitCode == 0 && made.output.split(separator: "\n").count == 1)
            let token = made.output.trimmingCharacters(in: .newlines)
            func run(_ arguments: String...) throws -> ProcessResult {
                try HearthProgram.run(arguments, environment: ["HEARTH_TOKEN": token, "HEARTH_URL": server.url])
            }
            #expect(try run("models", "push", "digits", SampleModels.file).exitCode == 0)
            #expect(try run("models", "list").output.contains("digits"))
            // A publisher makes no keys.
            #expect(try run("keys", "token", "create", "another").exitCode == 1)

            let tokens = try json(KeyBodies.AdminTokenList.self, "keys", "token", "list").adminTokens ?? []
            #expect(tokens.map(\.name) == ["script"] && tokens[0].token == nil && tokens[0].endTime != nil)
            #expect(try server.hearth("keys", "token", "revoke", tokens[0].id, "--yes").exitCode == 0)
            let ended = try run("models", "list")
            #expect(ended.exitCode == 1 && ended.errors.contains("refused the credentials"))
            #expect(!ended.errors.contains(token))
        }

        @Test func anAPIKeyWorksUntilItEnds() throws {
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            let plist = folder.path + "/GoogleService-Info.plist"
            #expect(try server.hearth("keys", "api", "create", "my app", "--output", plist).exitCode == 0)
            #expect(try mode(plist) == 0o600)
            func pull(_ config: String) throws -> ProcessResult {
                try HearthProgram.run(
                    ["pull", "digits", "--app-config", config],
                    environment: ["HEARTH_STORE": folder.path + "/store-\(UUID().uuidString)"])
            }
            #expect(try pull(plist).exitCode == 0)
            let keys = try json(KeyBodies.APIKeyList.self, "keys", "api", "list").apiKeys ?? []
            let id = try #require(keys.first { $0.name == "my app" }?.id)
            let next = folder.path + "/next.plist"
            #expect(
                try server.hearth("keys", "api", "rotate", id, "--grace", "0s", "--output", next, "--yes").exitCode == 0
            )
            #expect(try pull(next).exitCode == 0)
            let again = folder.path + "/again.plist"
            #expect(try server.hearth("keys", "api", "plist", "--from", next, "--output", again).exitCode == 0)
            #expect(try pull(again).exitCode == 0)
            #expect(
                try server.hearth("keys", "api", "plist", "--from", plist, "--output", "-").errors.contains(
                    "was revoked or has expired")
            )
            let refused = try pull(plist)
            #expect(refused.exitCode == 1 && refused.errorLines.count == 1)
            let all = try server.hearth("keys", "list").output
            #expect(all.contains("API keys") && all.contains("ended") && all.contains("admin "))
        }

        @Test func nothingIsUndoneUnaskedWithoutATerminal() throws {
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            #expect(
                try server.hearth("models", "push", "digits", SampleModels.secondFile, "--share", "10%").exitCode == 0)
            let api = try #require(try json(KeyBodies.APIKeyList.self, "keys", "api", "list").apiKeys?.first?.id)
            let admin = try #require(
                try json(KeyBodies.ServiceAccountList.self, "keys", "account", "list").serviceAccounts?.first?.email)
            let commands = [
                ["keys", "api", "revoke", api], ["keys", "api", "rotate", api, "--grace", "0s"],
                ["keys", "token", "revoke", "x"], ["keys", "account", "revoke", admin],
                ["keys", "account", "revoke", admin, "--key", "x"], ["models", "unpublish", "digits"],
                ["models", "delete", "digits"], ["projects", "delete", "hearth-default"],
                ["releases", "stop", "digits"],
            ]
            for command in commands {
                for arguments in [command, command + ["--json"]] {
                    let refused = try server.hearth(arguments)
                    #expect(refused.exitCode == 2 && refused.output.isEmpty, "\(arguments)")
                    #expect(refused.errors.contains("give --yes"), "\(arguments): \(refused.errors)")
                }
            }
            #expect(try json(ModelResource.self, "models", "show", "digits").state?.published == true)
            #expect(
                try json(KeyBodies.APIKeyList.self, "keys", "api", "list").apiKeys?.map(\.endTime) == [String?.none])
        }

        @Test func aSecondProjectIsAWorldOfItsOwn() throws {
            let out = folder.path + "/second"
            let made = try server.hearth("projects", "create", "second-project", "--output", out)
            #expect(made.exitCode == 0, "\(made.errors)")
            let admin = out + "/admin-service-account.json"
            #expect(try mode(admin) == 0o600)
            let again = try server.hearth("projects", "create", "second-project", "--output", folder.path + "/k/foo")
            #expect(again.exitCode == 1 && !FileManager.default.fileExists(atPath: folder.path + "/k"))
            #expect(
                try server.hearth(
                    "models", "push", "digits", SampleModels.file, "--publish", "--credentials", admin
                ).exitCode == 0)
            #expect(try server.hearth("models", "list").output.contains("There are no models"))
            #expect(
                try HearthProgram.run(
                    ["pull", "digits", "--app-config", out + "/GoogleService-Info.plist"],
                    environment: ["HEARTH_STORE": folder.path + "/store"]
                ).exitCode == 0)
            #expect(try json(ProjectBodies.List.self, "projects", "list").projects?.count == 2)
            let own = try server.hearth("projects", "list", "--credentials", admin).output
            #expect(own.contains("second-project") && !own.contains("hearth-default"))
            #expect(try server.hearth("projects", "show", "second-project").output.contains("installations:  1"))

            let audit = try json(AuditBodies.List.self, "admin", "audit", "--project", "second-project").entries ?? []
            #expect(audit.contains { $0.action == "project.create" })
            #expect(try server.hearth("admin", "audit", "--all-projects", "--limit", "1").output.contains("WHO"))
            #expect(try server.hearth("admin", "audit", "--all-projects", "--credentials", admin).exitCode == 1)
        }
    }
}
