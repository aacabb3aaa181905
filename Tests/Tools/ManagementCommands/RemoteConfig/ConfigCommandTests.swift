import Foundation
import HearthAdmin
import HearthAdminTestSupport
import HearthArguments
import HearthLocalCommands
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthManagementCommands

@Suite struct ConfigCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func answer(_ template: RemoteConfigTemplate, version: Int) -> TransportResponse {
        var template = template
        template.version = RemoteConfigVersion()
        template.version?.versionNumber = "\(version)"
        return StubServer.json(template, headers: [("ETag", "etag-123-\(version)")])
    }

    /// Another user's change stays, and so does this one.
    @Test func achangeIsMadeAgainOnTopOfAnother() throws {
        let puts = Mutex(0)
        let server = StubServer { call in
            let done = puts.withLock { $0 }
            let theirs = RemoteConfigTemplate(
                parameters: done == 0 ? [:] : ["theirs": RemoteConfigParameter(defaultValue: .text("x"))])
            guard call.method == "PUT" else { return Self.answer(theirs, version: 1 + done) }
            puts.withLock { $0 += 1 }
            return done == 0 ? StubServer.refusal(412) : Self.answer(theirs, version: 3)
        }
        let command = try ConfigSetCommand.parse(["mine", "y", "--json"])
        try TemplateChange(client: server.client().client, namespace: command.namespace, admin: command.admin)
            .edit { try command.apply(to: &$0) }
        let last = try #require(server.calls.last)
        #expect(last.method == "PUT" && last.headers["if-match"] == "etag-123-2")
        #expect(Set((last.json["parameters"] as? [String: Any] ?? [:]).keys) == ["mine", "theirs"])
    }

    @Test(arguments: [
        (#"{"conditions":[{"name":"a","expression":"true"},]}"#, "line 1, column 49: a comma stands before ]"),
        ("\u{FEFF}{}", "line 1, column 1: an invisible byte order mark stands here; remove it"),
    ])
    func aFileThatIsNotJSONIsRefusedWithItsPlace(json: String, place: String) throws {
        let path = try folder.write(Array(json.utf8), to: "template.json")
        let error = #expect(throws: CommandFailure.self) {
            try ConfigPutCommand.template(in: path, description: nil)
        }
        #expect(error?.description == "\(path) is not a Remote Config template: it is not valid JSON; \(place).")
    }

    @Test func theTriesHaveAnEnd() throws {
        let server = StubServer { call in
            call.method == "PUT" ? StubServer.refusal(412) : Self.answer(RemoteConfigTemplate(), version: 1)
        }
        let command = try ConfigSetCommand.parse(["mine", "y"])
        let change = TemplateChange(
            client: server.client().client, namespace: command.namespace, admin: command.admin)
        #expect(throws: AdminError.self) { try change.edit { try command.apply(to: &$0) } }
        #expect(server.calls.count == 10)
    }

    @Test func whatIsSetChangesNothingElse() throws {
        var template = RemoteConfigTemplate(
            conditions: [RemoteConfigCondition(name: "beta", expression: "true")],
            parameterGroups: [
                "G": RemoteConfigParameterGroup(parameters: [
                    "size": RemoteConfigParameter(
                        defaultValue: .text("1"), conditionalValues: ["beta": .text("2")], description: "d",
                        valueType: "NUMBER")
                ])
            ])
        try ConfigSetCommand.parse(["size", "3"]).apply(to: &template)
        try ConfigSetCommand.parse(["size", "4", "--condition", "beta"]).apply(to: &template)
        let size = try #require(template.parameterGroups?["G"]?.parameters?["size"])
        #expect(size.defaultValue == .text("3") && size.conditionalValues == ["beta": .text("4")])
        #expect(size.valueType == "NUMBER" && size.description == "d" && template.parameters == nil)

        try ConfigSetCommand.parse(["new", "true", "--type", "boolean"]).apply(to: &template)
        #expect(template.parameters?["new"] == RemoteConfigParameter(defaultValue: .text("true"), valueType: "BOOLEAN"))
        try ConfigUnsetCommand.parse(["size", "--condition", "beta"]).apply(to: &template)
        #expect(template[parameter: "size"]?.conditionalValues == [:])
        try ConfigUnsetCommand.parse(["size"]).apply(to: &template)
        #expect(template[parameter: "size"] == nil && template.parameterGroups?["G"] != nil)

        var other = template
        #expect(throws: CommandFailure.self) {
            try ConfigSetCommand.parse(["new", "x", "--condition", "gamma"]).apply(to: &other)
        }
        #expect(throws: CommandFailure.self) { try ConfigUnsetCommand.parse(["size"]).apply(to: &other) }
        #expect(throws: CommandFailure.self) {
            try ConfigUnsetCommand.parse(["new", "--condition", "beta"]).apply(to: &other)
        }
        #expect(other == template)
    }

    /// The description of the version that was fetched is not that of the next one.
    @Test func aFilesDescriptionIsItsOwn() throws {
        func description(_ json: String, _ given: String? = nil) throws -> String? {
            let file = try folder.write(Array(json.utf8), to: "template.json")
            return try ConfigPutCommand.template(in: file, description: given).version?.description
        }
        #expect(try description(#"{"version": {"versionNumber": "3", "description": "old"}}"#) == nil)
        #expect(try description(#"{"version": {"versionNumber": "3", "description": "old"}}"#, "new") == "new")
        #expect(try description(#"{"version": {"description": "written"}}"#) == "written")
        #expect(try description("{}") == nil)
    }

    @Test func aFileMaySpellKeysAsGooglesCallsDo() throws {
        let json = #"{"parameters": {"my_key": {"default_value": {"value": "x"}}}}"#
        let file = try folder.write(Array(json.utf8), to: "template.json")
        let template = try ConfigPutCommand.template(in: file, description: nil)
        #expect(template.parameters == ["my_key": RemoteConfigParameter(defaultValue: .text("x"))])
    }

    @Test(arguments: [
        ("{\n  \"parameters\": {,}\n}", "it is not valid JSON; line 2, column 18: "),
        (#"{"conditions": [{"name": "a"}]}"#, "conditions[0].expression is missing"),
        (#"{"parameters": []}"#, "parameters has the wrong type"),
        (
            #"{"parameters": {"k": {"defaultValue": {}}}}"#,
            "parameters.k.defaultValue: A value must have exactly one of"
        ),
        (#"{"parameter": {"k": {}}}"#, "parameter: A template has no field of this name here."),
        (#"{"parameters": {"k": {}, "k": {}}}"#, "parameters.k: Cannot have repeated items"),
        ("[]", "the whole has the wrong type"), ("", "it is not valid JSON; line 1, column 1: the text ends too early"),
    ])
    func aFileThatIsNoTemplateIsExplained(json: String, reason: String) throws {
        let file = try folder.write(Array(json.utf8), to: "template.json")
        let error = #expect(throws: CommandFailure.self) {
            try ConfigPutCommand.template(in: file, description: nil)
        }
        let text = error?.description ?? ""
        #expect(text.contains(reason) && text.contains("template.json is not a Remote Config template"), "\(text)")
    }

    @Test func aConditionIsMarkedWhereItGoesWrong() {
        #expect(ConditionErrorText.text("percent <= 10") == nil)
        #expect(ConditionErrorText.text("device.country im ['CH']") == "device.country im ['CH']\n               ^")
        #expect(ConditionErrorText.text("percent <=\u{1B}[2J") == "percent <=?[2J\n          ^")
        let template = RemoteConfigTemplate(conditions: [
            RemoteConfigCondition(name: "a", expression: "true"), RemoteConfigCondition(name: "b", expression: "tru"),
        ])
        #expect(ConditionErrorText.text(in: template) == "tru\n^")
    }

    @Test func versionsAndConditionsAsTables() {
        var version = RemoteConfigVersion(description: "two\nlines")
        version.versionNumber = "4"
        version.updateTime = "2026-11-21T09:00:00.000000Z"
        version.updateUser = RemoteConfigVersion.User(email: "ci@p")
        version.updateType = "ROLLBACK"
        version.rollbackSource = "2"
        let lines = ConfigVersionsCommand.table([version]).description.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains("2026-11-21 09:00") && lines[1].contains("rollback to 2"))

        let template = RemoteConfigTemplate(
            conditions: [RemoteConfigCondition(name: "beta", expression: "percent <= 10")],
            parameters: ["colour": RemoteConfigParameter(conditionalValues: ["beta": .text("blue")])])
        #expect(ConfigConditionsCommand.table(template).description.hasSuffix("1  beta  percent <= 10  colour"))
    }

    private func refusal(_ arguments: [String]) -> String {
        do {
            _ = try ManagementProgram.parseAsRoot(["remoteconfig"] + arguments)
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    @Test(arguments: [
        (["get", "--version", "0"], "from 1"), (["get", "--namespace", "x"], "'firebase' or 'firebase-server'"),
        (["put", "f", "--force", "--if-version", "3"], "not both"), (["rollback", "0"], "from 1"),
        (["put", "f", "--if-version", "-1"], "from 1"), (["versions", "--limit", "0"], "1 or more"),
        (["set", "k", "v", "--type", "text"], "'string', 'boolean', 'number' or 'json'"), (["set", "k"], "<value>"),
        (["defaults"], "--format"), (["defaults", "--format", "yaml"], "'xml', 'plist' or 'json'"),
        (["defaults", "--format", "xml", "--json"], "--json and --format xml exclude each other"),
        (["defaults", "--format", "plist", "--json"], "--output FILE"),
        (["defaults", "--format", "plist", "--json", "--output", "-"], "--output FILE"),
        (["gt"], "Did you mean"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], text: String) {
        #expect(refusal(arguments).contains(text), "\(refusal(arguments))")
    }
}

/// The guide to Remote Config says what the server takes.
@Suite struct RemoteConfigGuideTests {
    private func guide() throws -> String {
        try String(
            contentsOf: TestPaths.package.appendingPathComponent("docs/guides/remote-config.md"), encoding: .utf8)
    }

    @Test func itsConditionsAreConditions() throws {
        let parts = try guide().components(separatedBy: "<!-- conditions: begin -->\n")
        let table = try #require(parts.last?.components(separatedBy: "<!-- conditions: end -->").first)
        let terms = table.split(separator: "\n").dropFirst(2).map { $0.components(separatedBy: "`")[1] }
        #expect(terms.count == 19)
        for term in terms { #expect(ConditionErrorText.text(term) == nil, "\(term)") }
    }

    @Test func itsMarkStandsWhereTheProgramPutsIt() throws {
        let condition = "percent('large') < 10"
        #expect(try guide().contains("```text\n\(try #require(ConditionErrorText.text(condition)))\nerror: "))
    }
}
