import Foundation
import HearthArguments
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct KeyCommandTests {
    private let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!

    @Test func keysAreActiveUntilTheyEnd() {
        #expect(KeyTables.state(nil, now: now) == "active")
        #expect(KeyTables.state("2026-12-01T09:00:00.000000Z", now: now) == "until 2026-12-01 09:00")
        #expect(KeyTables.state("2026-11-21T12:00:00Z", now: now) == "ended")
        #expect(KeyTables.state("junk", now: now) == "ended")
    }

    @Test("What the server says has ended is shown as ended, although its date is in the future")
    func endedBeforeItsDate() throws {
        let text = """
            {"id": "t", "name": "ci", "role": "viewer", "createTime": "2026-11-01T00:00:00Z", "createdBy": "ann", \
            "appId": "a", "endTime": "2026-12-17T00:00:00Z", "ended": true}
            """
        let token = try JSONDecoder().decode(KeyBodies.AdminToken.self, from: Data(text.utf8))
        let tokens = KeyTables.tokens([token], now: now)
        #expect(tokens.contains("ended") && !tokens.contains("until"), "\(tokens)")
        let key = try JSONDecoder().decode(KeyBodies.APIKey.self, from: Data(text.utf8))
        let keys = KeyTables.apiKeys([key], now: now)
        #expect(keys.contains("ended") && !keys.contains("until"), "\(keys)")
    }

    @Test func anAccountHasALinePerKey() {
        let account = KeyBodies.ServiceAccount(
            email: "ci@p", role: "owner", operator: true, createTime: "2026-11-01T00:00:00Z",
            keys: [
                .init(id: "k1", createTime: "2026-11-01T00:00:00Z", endTime: "2026-11-02T00:00:00Z"),
                .init(id: "k2", createTime: "2026-11-03T00:00:00Z", endTime: nil),
            ])
        let lines = KeyTables.accounts([account], now: now).split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("k1") && lines[1].contains("ended"))
        #expect(lines[2].contains("k2") && lines[2].contains("owner, operator") && lines[2].contains("active"))
        #expect(KeyTables.accounts([], now: now) == "none")
    }

    @Test func aLinePerSigningKeySaysWhatItDoes() throws {
        let text = """
            [{"id": "1", "createTime": "2026-11-01T00:00:00.000000Z", "state": "retired",
              "retireTime": "2026-11-20T10:30:00.000000Z"},
             {"id": "2", "createTime": "2026-11-02T08:00:00.000000Z", "state": "signing"},
             {"id": "3", "createTime": "2026-11-21T12:00:00.000000Z", "state": "valid",
              "signsFromTime": "2026-11-21T12:01:00.000000Z"}]
            """
        let keys = try JSONDecoder().decode([SigningKeyBodies.Key].self, from: Data(text.utf8))
        let lines = SigningKeyTable.text(keys).split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "ID CREATED (UTC) STATE", "1 2026-11-01 00:00 retired 2026-11-20 10:30", "2 2026-11-02 08:00 signing",
                "3 2026-11-21 12:00 valid, signs from 2026-11-21 12:01",
            ])
    }

    private func message(_ arguments: [String]) -> String {
        do {
            var command = try ManagementProgram.parseAsRoot(["keys"] + arguments)
            try command.run()
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    @Test(arguments: [
        (["account", "create", "ci"], "--output FILE"), (["account", "create", "CI", "--output", "-"], "lower-case"),
        (["account", "create", "1st", "--output", "-"], "begin with a letter"),
        (["account", "create", "ci", "--role", "admin"], "'viewer', 'publisher' or 'owner'"),
        (["account", "add-key", "ci@p"], "--output FILE"), (["api", "restrict", "1"], "--bundle-id"),
        (["api", "restrict", "1", "--any", "--bundle-id", "x"], "--bundle-id"),
        (["api", "rotate", "1", "--grace", "30"], "--grace"),
        (["token", "create", "t", "--lifetime", "0s"], "--lifetime"),
        (["api", "create", "k", "--platform", "mac"], "'ios', 'android' or 'web'"),
        (["api", "rotate", "1", "--bundle-id", "x"], "--output"), (["api", "plist", "--output", "f"], "--from FILE"),
        (["api", "plist", "--output", "f", "--from", "a", "--key", "b"], "--from FILE"),
        (["api", "plist", "--output", "f", "--from", "/nowhere"], "Cannot open /nowhere"),
        (["account", "role", "ci@p", "king"], "'viewer', 'publisher' or 'owner'"),
        (["tokn"], "Did you mean 'token'?"), (["signing", "retire"], "id"),
        (["signing", "retier", "1"], "Did you mean 'retire'?"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], text: String) {
        #expect(message(arguments).contains(text))
    }

    @Test(arguments: [
        ["account", "create", "ci"], ["account", "add-key", "ci@p"], ["api", "create", "k"],
        ["api", "rotate", "1", "--bundle-id", "x"], ["api", "plist", "--from", "a"], ["token", "create", "t"],
    ])
    func theFileHasOneName(arguments: [String]) throws {
        for option in ["--output", "-o"] {
            #expect(throws: Never.self) { try ManagementProgram.parseAsRoot(["keys"] + arguments + [option, "file"]) }
        }
        let path = try ManagementProgram.parseAsRoot(["keys"] + arguments + ["--output", "file"])
        let help = ManagementProgram.helpMessage(for: type(of: path), columns: 200)
        #expect(help.contains("--output <file>") && !help.contains("--out "))
    }
}
