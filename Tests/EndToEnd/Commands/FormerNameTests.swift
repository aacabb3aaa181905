import EndToEndDriving
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Scripts that were written for earlier versions go on, and are told the present names.
    @Suite struct FormerNameTests {
        private let server: ServerProcess

        init() throws { server = try ServerProcess() }

        private func notes(_ ending: ProcessResult) -> [Substring] {
            ending.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }
        }

        @Test func aFormerCommandWorksAndANoteSaysItsName() throws {
            let listed = try server.hearth("config", "get", "--json")
            #expect(listed.exitCode == 0 && listed.output.hasPrefix("{"))
            #expect(
                notes(listed).first
                    == "note: 'hearth config' is now called 'hearth remoteconfig'; the old name still works.")
            let made = try server.hearth("keys", "token", "create", "script", "--json")
            let id = try WireJSON.decode(KeyBodies.AdminToken.self, from: made.output.utf8).id
            let ended = try server.hearth("keys", "token", "end", id, "--yes", "--json")
            // Under the name that scripts know, and under the present one.
            #expect(ended.output == #"{"ended":"\#(id)","revoked":"\#(id)"}"# + "\n", "\(ended.output)")
            #expect(notes(ended).count == 1 && ended.errors.contains("'hearth keys token revoke'"))
        }

        @Test func aFormerOptionAndVariableAreToldOfOnce() throws {
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
            let store = server.data.path + "/device"
            // The quick program hands this over to the full one, which must not say it a second time.
            let labeled = try HearthProgram.run(
                ["label", "digits", SampleModels.image, "--config", server.deviceFile],
                environment: ["HEARTH_STORE": store])
            #expect(labeled.exitCode == 0 && labeled.output.contains(" 7"), "\(labeled.errors)")
            #expect(notes(labeled) == ["note: '--config' is now called '--app-config'; the old name still works."])
            let pulled = try HearthProgram.run(
                ["pull", "digits"], environment: ["HEARTH_STORE": store, "HEARTH_CONFIG": server.deviceFile])
            #expect(pulled.exitCode == 0)
            #expect(
                notes(pulled) == ["note: 'HEARTH_CONFIG' is now called 'HEARTH_APP_CONFIG'; the old name still works."])
        }
    }
}
