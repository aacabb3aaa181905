import HearthAdmin
import HearthAdminTestSupport
import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct AliasCommandTests {
    @Test func aVersionIsANumberOrAnAlias() {
        #expect(VersionArgument(argument: "3") == .number(3))
        #expect(VersionArgument(argument: "champion") == .alias("champion"))
        #expect(VersionArgument(argument: "q3-2026") == .alias("q3-2026"))
        for text in ["0", "-1", "", "Champion", "3a", "1.5", "a b", String(repeating: "a", count: 33)] {
            #expect(VersionArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test func onlyAnAliasNeedsACall() throws {
        let server = StubServer { _ in
            StubServer.json(
                ReleaseBodies.Version(
                    version: 7, modelHash: "", sizeBytes: "1", source: "", createTime: "", createdBy: "", verdict: "ok",
                    message: nil, contract: nil))
        }
        let client = server.client().client
        #expect(try VersionArgument.number(3).number(of: "projects/p/models/1", client) == 3)
        #expect(server.texts.isEmpty)
        #expect(try VersionArgument.alias("champion").number(of: "projects/p/models/1", client) == 7)
        #expect(server.texts == ["GET /hearth/v1/projects/p/models/1/versions/champion"])
    }

    private func refusal(_ arguments: [String]) -> String {
        do {
            _ = try ManagementProgram.parseAsRoot(arguments)
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    @Test(arguments: [
        (["models", "alias", "flowers", "champion"], "or --remove"),
        (["models", "alias", "flowers", "champion", "3", "--remove"], "or --remove"),
        (["models", "alias", "flowers", "Champion", "3"], "small letters, digits and hyphens"),
        (["models", "alias", "flowers", "3", "champion"], "small letters, digits and hyphens"),
        (["models", "alias", "flowers", "champion", "0"], "an alias such as champion"),
        (["models", "note", "flowers", "3"], "or --remove"), (["models", "note", "flowers", "3", ""], "or --remove"),
        (["models", "note", "flowers", "3", "x", "--remove"], "or --remove"),
        (["models", "note", "flowers", "3", "a\nb"], "one line"),
        (["models", "push", "flowers", "f.tflite", "--note", String(repeating: "x", count: 501)], "at most 500 bytes"),
        (["releases", "create", "flowers", "--version", "0"], "the number of a version, from 1"),
        (["releases", "rollback", "flowers", "--to", "Best"], "an alias such as champion"),
        (["releases", "pin", "flowers", "--tag", "qa", "--version", "1.5"], "an alias such as champion"),
        (["models", "rehearse", "flowers", "--against", "0"], "an alias such as champion"),
        (["models", "try", "flowers", "photo.jpg", "--compare-with", "0"], "an alias such as champion"),
        (["models", "compare", "flowers", "1", "Best"], "an alias such as champion"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], text: String) {
        #expect(refusal(arguments).contains(text), "\(refusal(arguments))")
    }
}
