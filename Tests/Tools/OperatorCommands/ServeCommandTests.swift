import HearthArguments
import HearthServer
import Testing

@testable import HearthOperatorCommands

/// The table as arguments of `hearth serve`.
struct ServeCommandTests {
    @Test func helpListsEverySettingUnderItsTitle() {
        let help = ServeCommand.helpMessage(columns: 100)
        for section in ServerSettings.sections {
            #expect(help.contains("\n\(section.title.uppercased()):\n"))
            for setting in section.settings {
                #expect(help.contains("  --\(setting.name)"), "\(setting.name)")
                #expect(setting.isSwitch || help.contains("--\(setting.name) <\(setting.valueName)>"))
            }
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func flagsAreTakenAsText() throws {
        let command = try ServeCommand.parse([
            "--port", "x", "--insecure-http", "--upload-bytes=-1", "--no-insecure-http", "--trusted-proxies", "::1",
        ])
        #expect(command.place.given == ["port": "x", "insecure-http": "false"])
        #expect(command.files.given == ["upload-bytes": "-1"])
        #expect(command.proxies.given == ["trusted-proxies": "::1"])
        #expect(command.requests.given.isEmpty)
    }

    @Test func variablesOfOtherCommandsAreAccepted() throws {
        let others = [
            "HEARTH_CREDENTIALS", "HEARTH_STORE", "HEARTH_APP_CONFIG", "HEARTH_URL", "HEARTH_TOKEN",
            "HEARTH_CA_FILE",
        ]
        _ = try SettingsReader(
            flags: [:], environment: Dictionary(uniqueKeysWithValues: others.map { ($0, "x") }), file: nil,
            otherVariables: ServerProcess.otherVariables)
        #expect(ServerProcess.otherVariables.isDisjoint(with: ServerSettings.all.map(\.variable)))
    }

    @Test func mistypedNamesAreCorrected() {
        let error = #expect(throws: (any Error).self) { try ServeCommand.parse(["--idle-second", "3"]) }
        #expect(error.map { ServeCommand.message(for: $0) }?.contains("--idle-seconds") == true)
    }
}
