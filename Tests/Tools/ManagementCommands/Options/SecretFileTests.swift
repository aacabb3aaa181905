import Foundation
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct SecretFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ path: String) -> String {
        do {
            _ = try SecretFile(path)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func aSecretIsItsUsersOnly() throws {
        let path = folder.path + "/secret"
        try SecretFile(path).write([1, 2], otherwise: "")
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2]))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func whatCannotBeKeptIsSaidBeforeTheSecretIsMade() throws {
        let there = try folder.write([1], to: "there")
        #expect(failure(there).contains("exists already"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "/nowhere")
        #expect(failure(folder.path + "/link").contains("exists already"))
        #expect(failure(folder.path).contains("exists already"))
        #expect(failure(folder.path + "/no/folder").contains("Cannot write"))
        #expect(failure("").contains("--output") && failure("x/").contains("--output"))
    }

    @Test func foldersThatWereMadeForNothingGoAgain() throws {
        let new = try NewFolder(folder.path + "/a/b/c/")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/a/b/c"))
        new.removeCreatedFolders()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])

        let kept = try NewFolder(folder.path + "/d/e")
        _ = try folder.write([1], to: "d/file")
        kept.removeCreatedFolders()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/d") == ["file"])
        try NewFolder(folder.path + "/d").removeCreatedFolders()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/d"), "it was there before")
        #expect(throws: (any Error).self) { try NewFolder(folder.path + "/f/" + String(repeating: "x", count: 300)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["d"])
    }

    @Test func aSecretThatCouldNotBeKeptIsNotForgotten() throws {
        let path = folder.path + "/gone/secret"
        try FileManager.default.createDirectory(atPath: folder.path + "/gone", withIntermediateDirectories: false)
        let file = try SecretFile(path)
        try FileManager.default.removeItem(atPath: folder.path + "/gone")
        do {
            try file.write([1], otherwise: "End it.")
            Issue.record("a file was written into a folder that is gone")
        } catch {
            #expect(error.description.hasSuffix("End it."))
        }
    }

    @Test func aTerminalIsAskedAndScriptsGiveYes() throws {
        func ask(_ answer: String?, isInteractive: Bool = true, isGiven: Bool = false) -> Bool {
            do {
                try Confirmation(isInteractive: isInteractive, ask: { _ in answer }).require("Sure?", isGiven: isGiven)
                return true
            } catch {
                return false
            }
        }
        #expect(ask("y") && ask("YES"))
        #expect(!ask("n") && !ask("") && !ask(nil) && !ask("yeah"))
        #expect(ask(nil, isGiven: true) && ask(nil, isInteractive: false, isGiven: true))
        // A script's input does not answer a question that was not shown.
        #expect(!ask("y", isInteractive: false))
    }

    private func text(
        _ key: KeyBodies.APIKey, _ project: ProjectBodies.Resource, bundleID: String? = nil, _ url: String
    ) throws -> String {
        let bytes = try #require(try CredentialsFile.app(key, project: project, bundleID: bundleID, url: url))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            // Allowed, in the older file, given: what goes into the new file.
            ([], nil, nil, nil), ([], "own", nil, "own"), ([], "own", "other", "other"), (["a"], nil, nil, "a"),
            (["a"], "gone", nil, "a"), (["a", "b"], "b", nil, "b"), (["a", "b"], nil, "b", "b"),
        ] as [([String], String?, String?, String?)])
    func aFileKeepsItsAppsId(allowed: [String], known: String?, given: String?, expected: String?) throws {
        #expect(try choice(allowed, known, given) == expected)
    }

    @Test func anAppIsNeverGuessed() {
        #expect(throws: ValidationError.self) { try choice(["a", "b"], nil, nil) }
        #expect(throws: ValidationError.self) { try choice(["a", "b"], "gone", nil) }
        #expect(throws: ValidationError.self) { try choice(["a"], nil, "b") }
    }

    private func choice(_ allowed: [String], _ known: String?, _ given: String?) throws -> String? {
        let key = KeyBodies.APIKey(
            id: "1", name: "n", appId: "app", bundleIds: allowed, createTime: "", endTime: nil, key: nil)
        let arguments = ["1", "--output", "file"] + (given.map { ["--bundle-id", $0] } ?? [])
        return try APIKeyRotateCommand.parse(arguments).app.choice(key, known: known)
    }

    @Test func anAppsFileHasWhatAppsRead() throws {
        let project = ProjectBodies.Resource(projectId: "p-one", projectNumber: "123", createTime: "")
        var key = KeyBodies.APIKey(
            id: "1", name: "n", appId: "1:123:ios:aa", bundleIds: ["com.example"], createTime: "", endTime: nil,
            key: "Asecret")
        let bytes = try #require(try CredentialsFile.app(key, project: project, url: "https://h"))
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: String]
        #expect(
            list == [
                "API_KEY": "Asecret", "GOOGLE_APP_ID": "1:123:ios:aa", "GCM_SENDER_ID": "123", "PROJECT_ID": "p-one",
                "PLIST_VERSION": "1", "BUNDLE_ID": "com.example", "STORAGE_BUCKET": "p-one.hearth",
                "HEARTH_SERVER_URL": "https://h",
            ])
        #expect(try text(key, project, bundleID: "com.beta", "https://h").contains("<string>com.beta</string>"))
        // Where the server has a public address, it is that one.
        var reachable = project
        reachable.hearthUrl = "https://models.example"
        #expect(try text(key, reachable, "https://h").contains("<string>https://models.example</string>"))
        key.key = nil
        #expect(try CredentialsFile.app(key, project: project, url: "https://h") == nil)
    }
}
