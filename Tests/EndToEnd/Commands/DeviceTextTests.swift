import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// What device commands say when the server says no, or when what they are given does not fit.
    @Suite struct DeviceTextTests {
        private let server: ServerProcess

        init() throws {
            server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
        }

        private func expectOneLine(
            _ ending: Ending, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(ending.exitCode == 1, sourceLocation: sourceLocation)
            #expect(ending.output.isEmpty, sourceLocation: sourceLocation)
            #expect(ending.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
            #expect(ending.errors.contains(text), "\(ending.errors)", sourceLocation: sourceLocation)
        }

        /// The device configuration with one entry replaced.
        private func configuration(_ key: String, _ value: String) throws -> String {
            var entries = try server.deviceConfiguration()
            entries[key] = value
            let data = try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
            return try server.data.write(data, to: "other.plist")
        }

        /// The copy on the device is for want of a connection, not of a permission.
        @Test func aServerThatSaysNoIsBelieved() throws {
            #expect(try server.hearth("label", "digits", SampleModels.picture).exitCode == 0)
            let config = try configuration("API_KEY", "A" + String(repeating: "x", count: 38))
            expectOneLine(
                try server.hearth("label", "digits", SampleModels.picture, "--app-config", config),
                "refused this device")
            #expect(try server.hearth("models", "unpublish", "digits", "--yes").exitCode == 0)
            expectOneLine(
                try server.hearth("label", "digits", SampleModels.picture), "There is no published model 'digits'")
        }

        @Test(arguments: ["a:b:c:d", "1:2:3", ":::", "1:2:ios:xyz"])
        func aBadAppIDIsOneLine(id: String) throws {
            let config = try configuration("GOOGLE_APP_ID", id)
            expectOneLine(try server.hearth("pull", "digits", "--app-config", config), "GOOGLE_APP_ID")
        }

        /// The user knows the model's name and the label file, and not where the device keeps models.
        @Test func labelsThatDoNotFitAreNamed() throws {
            let labels = try server.data.write(Array("one\ntwo\n".utf8), to: "wrong.txt")
            let ending = try server.hearth("label", "digits", SampleModels.picture, "--labels", labels)
            expectOneLine(ending, "error: digits with \(labels): ")
            #expect(!ending.errors.contains(server.data.path + "/device"))
        }

        @Test func aFolderIsNoKey() throws {
            expectOneLine(try server.hearth("models", "list", "--credentials", "."), "'.' is a folder")
        }

        @Test func timesSayTheirZone() throws {
            #expect(try server.hearth("models", "list").output.contains("CHANGED (UTC)"))
        }
    }
}
