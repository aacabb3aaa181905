import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Remote Config from the command line, against a server.
    @Suite struct ConfigCommandTests {
        private let server: ServerProcess

        init() throws { server = try ServerProcess() }

        private func config(_ arguments: String...) throws -> ProcessResult {
            try server.hearth(["remoteconfig"] + arguments)
        }

        /// The output of a call that succeeds.
        private func told(_ arguments: String...) throws -> String {
            let ending = try server.hearth(["remoteconfig"] + arguments)
            #expect(ending.exitCode == 0, "\(arguments): \(ending.errors)")
            return ending.output
        }

        private func template(_ arguments: String...) throws -> RemoteConfigTemplate {
            let ending = try server.hearth(["remoteconfig", "get", "--json"] + arguments)
            return try WireJSON.decode(RemoteConfigTemplate.self, from: ending.output.utf8)
        }

        private func file(_ template: RemoteConfigTemplate) throws -> String {
            try server.data.write(WireJSON.encode(template), to: "template.json")
        }

        private let sample = RemoteConfigTemplate(
            conditions: [
                RemoteConfigCondition(name: "swiss", expression: "device.country in ['CH']"),
                RemoteConfigCondition(name: "tenth", expression: "percent('colours') <= 10"),
            ],
            parameters: [
                "colour": RemoteConfigParameter(
                    defaultValue: .text("red"), conditionalValues: ["tenth": .text("blue")], valueType: "STRING")
            ])

        @Test func parametersByHand() throws {
            #expect(try told("versions").contains("There is no template yet"))
            #expect(try told("set", "colour", "red") == "+ parameter colour: \"red\"\nMade version 1.\n")
            #expect(
                try told("set", "size", "3", "--type", "number").hasSuffix(
                    "Made version 2. To undo it: hearth remoteconfig rollback 1\n"))
            #expect(
                try told("set", "colour", "blue").hasPrefix("~ parameter colour: \"red\" -> \"blue\"\n"))
            #expect(try told("set", "colour", "blue") == "Nothing changed: version 3 is already like that.\n")
            let wrong = try config("set", "size", "big")
            #expect(wrong.exitCode == 1 && wrong.errorLines.count == 1)
            #expect(wrong.errors.contains("parameters.size.defaultValue: The value is not a NUMBER"), "\(wrong.errors)")
            #expect(try told("unset", "size").contains("- parameter size: \"3\""))
            #expect(try template().allKeys == ["colour"])
            #expect(try told("rollback", "2").contains("+ parameter size: \"3\""))
            #expect(try template().allKeys == ["colour", "size"] && template("--version", "4").allKeys == ["colour"])
            let versions = try told("versions", "--limit", "2").split(separator: "\n")
            #expect(versions.count == 3 && versions[1].contains("rollback to 2") && versions[2].contains("change"))
            #expect(try config("rollback", "99").errors.contains("no version 99"))
        }

        @Test func aTemplateFromAFile() throws {
            let path = try file(sample)
            let checked = try told("put", path, "--validate-only")
            #expect(checked.contains("+ condition 'swiss'") && checked.hasSuffix("Nothing was changed.\n"))
            #expect(try told("versions").contains("There is no template yet"))
            #expect(try told("put", path, "--description", "First").hasSuffix("Made version 1.\n"))
            #expect(try told("put", path) == "Nothing changed: version 1 is already like that.\n")
            #expect(try told("versions").contains("First"))

            // Fetched, changed and put again.
            let fetched = server.data.path + "/fetched.json"
            #expect(try told("get", "--output", fetched) == "Wrote version 1 to \(fetched).\n")
            let text = try String(contentsOfFile: fetched, encoding: .utf8)
            #expect(text.contains("\n  \"conditions\" : [\n"))
            try text.replacing("red", with: "green").write(toFile: fetched, atomically: true, encoding: .utf8)
            #expect(
                try told("put", fetched) == """
                    ~ parameter colour: "red" -> "green"
                    Made version 2. To undo it: hearth remoteconfig rollback 1

                    """)
            #expect(try template().version?.description == nil)
            let conditions = try told("conditions").split(separator: "\n")
            #expect(conditions.count == 3 && conditions[1].contains("1  swiss") && conditions[2].hasSuffix("colour"))
            #expect(
                try told("set", "colour", "white", "--condition", "swiss").contains("+ parameter colour if 'swiss'"))
            #expect(
                try config("set", "colour", "x", "--condition", "no").errors.contains("hearth remoteconfig conditions"))
        }

        @Test func nobodysChangeIsLostUnseen() throws {
            let path = try file(sample)
            #expect(try told("put", path, "--if-version", "0").contains("Made version 1."))
            #expect(try told("set", "colour", "pink").contains("Made version 2."))
            for arguments in [
                ["--if-version", "1"], ["--if-version", "1", "--validate-only"], ["--if-version", "3"],
            ] {
                let late = try server.hearth(["remoteconfig", "put", path] + arguments)
                #expect(late.exitCode == 1 && late.errorLines.count == 1, "\(arguments)")
                #expect(late.errors.contains("hearth remoteconfig get"), "\(late.errors)")
            }
            #expect(try told("put", path, "--if-version", "2").contains("Made version 3."))
            #expect(try told("set", "colour", "pink").contains("Made version 4."))
            #expect(try told("put", path, "--force").contains("Made version 5."))
            #expect(try told("versions").split(separator: "\n")[1].contains("forced"))
        }

        @Test func aConditionIsMarkedWhereItGoesWrong() throws {
            var template = sample
            template.conditions?[1].expression = "percent('colours') < 10"
            let refused = try config("put", try file(template))
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
            #expect(
                refused.errors.hasPrefix("percent('colours') < 10\n                   ^\n"), "\(refused.errors)")
            #expect(refused.errorLines.count == 1)
            #expect(refused.errors.contains("conditions[1].expression: Column 20: Expected '<=', '>'"))
        }

        @Test func whatADeviceWouldGet() throws {
            _ = try told("put", try file(sample))
            let told = try told("evaluate", "--country", "CH", "--os", "ios")
            #expect(told.contains("os ios, country CH, gets of version 1:"), "\(told)")
            #expect(told.contains("colour     \"red\"  default; not decided: 'tenth'"), "\(told)")
            // A file that nobody has published yet, and an installation whose share is decided.
            var other = sample
            other.conditions?[1].expression = "percent <= 100 && device.country in ['CH']"
            let json = try self.told(
                "evaluate", "--file", try file(other), "--installation", "x", "--country", "CH", "--json")
            let result = try WireJSON.decode(TemplateEvaluationBodies.Result.self, from: json.utf8)
            #expect(result.version == nil && result.parameters.map(\.value) == ["blue"])
            #expect(try template().conditions == sample.conditions)
            other.conditions?[1].expression = "percent"
            let refused = try config("evaluate", "--file", try file(other))
            #expect(refused.exitCode == 1 && refused.errors.hasPrefix("percent\n       ^\n"), "\(refused.errors)")
            #expect(refused.errors.contains("template.conditions[1].expression: Column 8"), "\(refused.errors)")
        }

        @Test func filesForApps() throws {
            _ = try told("put", try file(sample))
            let path = server.data.path + "/defaults.plist"
            #expect(try told("defaults", "--format", "plist", "--output", path) == "Wrote \(path).\n")
            for command in [["defaults", "--format", "xml"], ["get"]] {
                let printed = try server.hearth(["remoteconfig"] + command).output
                #expect(try server.hearth(["remoteconfig"] + command + ["--output", "-"]).output == printed)
            }
            #expect(!FileManager.default.fileExists(atPath: "-"), "printed, not put into a file of that name")
            let list = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: URL(fileURLWithPath: path)), format: nil)
            #expect(list as? [String: String] == ["colour": "red"])
            #expect(try told("defaults", "--format", "json") == "{\"colour\":\"red\"}\n")
            #expect(try told("defaults", "--format", "xml").contains("<key>colour</key>"))
        }

        @Test func serversHaveATemplateOfTheirOwn() throws {
            let made = try told("set", "colour", "red", "--namespace", "firebase-server")
            #expect(made == "+ parameter colour: \"red\"\nMade version 1.\n")
            let again = try told("set", "colour", "blue", "--namespace", "firebase-server")
            #expect(again.hasSuffix("hearth remoteconfig rollback 1 --namespace firebase-server\n"))
            #expect(try template().allKeys == [])
            let refused = try config("put", try file(sample), "--namespace", "firebase-server")
            #expect(refused.exitCode == 1 && refused.errors.contains("A template for servers may use only percent"))
        }
    }
}

extension RemoteConfigTemplate {
    fileprivate var allKeys: [String] { (parameters ?? [:]).keys.sorted() }
}
