import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// What `serve` is asked and cannot do is told before it serves.
    @Suite struct RefusedStartTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func serve(_ arguments: String...) throws -> Ending {
            try HearthProgram.run(["serve", "--data", folder.path, "--port", "0"] + arguments)
        }

        private func expectUsageError(
            _ ending: Ending, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(ending.exitCode == 2, sourceLocation: sourceLocation)
            #expect(ending.errorLines.count == 1, sourceLocation: sourceLocation)
            #expect(ending.errors.contains(text), sourceLocation: sourceLocation)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }

        /// Ends a server that has filled the folder, and damages one of its files.
        private func damage(_ file: KeyPath<ServerProcess, String>, _ contents: String) throws -> String {
            let server = try ServerProcess(data: folder)
            #expect(try server.terminate().exitCode == 0)
            let path = server[keyPath: file]
            try contents.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        private func expectRefusal(
            _ ending: Ending, naming text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(ending.exitCode == 1, sourceLocation: sourceLocation)
            #expect(ending.output.isEmpty, sourceLocation: sourceLocation)
            #expect(ending.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
            #expect(ending.errors.contains(text), "\(ending.errors)", sourceLocation: sourceLocation)
        }

        @Test(arguments: ["0.0.0.0", "::", "0::0"])
        func aWildcardAddressNeedsAPublicOne(address: String) throws {
            try expectUsageError(serve("--address", address, "--insecure-http"), "--public-url")
        }

        @Test(arguments: ["localhost", "127.1", "", "::1%lo"])
        func addressesAreNumeric(address: String) throws {
            try expectUsageError(serve("--address", address), "give a numeric address, such as 127.0.0.1")
        }

        @Test(arguments: ["short", "Upper-Case", "with space", String(repeating: "x", count: 31)])
        func projectIDsAreCheckedFirst(id: String) throws {
            try expectUsageError(serve("--project", id), "'\(id)' is not possible; give 6 to 30 lower-case letters")
        }

        @Test func aProjectKeepsItsID() throws {
            let first = try ServerProcess(data: folder, arguments: ["--project", "first-one"])
            #expect(first.greeting.contains("'first-one'"))
            #expect(try first.terminate().exitCode == 0)
            let again = try ServerProcess(data: folder, arguments: ["--project", "first-one"])
            #expect(try again.terminate().exitCode == 0)
            let before = FileManager.default.contents(atPath: folder.path + "/hearth.sqlite")
            expectRefusal(try serve("--project", "second-one"), naming: "the project 'first-one', not 'second-one'")
            #expect(FileManager.default.contents(atPath: folder.path + "/hearth.sqlite") == before)
            // In the environment it is the project that other commands work in.
            let environment = ["HEARTH_PROJECT": "second-one", "HEARTH_URL": first.url, "HEARTH_TOKEN": "hat_x"]
            #expect(try ServerProcess(data: folder, environment: environment).terminate().exitCode == 0)
        }

        /// Not the first in the alphabet, and not only what is still there.
        @Test func aProjectMayStandInTheSettingsBesideOthersAndWhenItIsDeleted() throws {
            let arguments = ["--project", "robots-one"]
            let first = try ServerProcess(data: folder, arguments: arguments)
            let other = try TemporaryFolder()
            #expect(try first.hearth("projects", "create", "alpha-two", "--output", other.path + "/x").exitCode == 0)
            #expect(try first.terminate().exitCode == 0)
            expectRefusal(try serve("--project", "third-one"), naming: "the project 'robots-one', not 'third-one'")

            let second = try ServerProcess(data: folder, arguments: arguments)
            let admin = other.path + "/root.json"
            #expect(
                try second.hearth(
                    "keys", "account", "create", "root", "--operator", "--project", "alpha-two", "--output", admin
                ).exitCode == 0)
            #expect(
                try second.hearth("projects", "delete", "robots-one", "--credentials", admin, "--yes").exitCode == 0)
            #expect(try second.terminate().exitCode == 0)
            let dead = try String(contentsOfFile: second.adminFile, encoding: .utf8)

            let third = try ServerProcess(data: folder, arguments: arguments, greetingEnds: "\n")
            #expect(!third.greeting.contains("credentials"))
            #expect(try third.terminate().output.contains("credentials") == false)
            #expect(try String(contentsOfFile: second.adminFile, encoding: .utf8) == dead)
        }

        @Test func dataIsAFolder() throws {
            let file = try folder.write([1], to: "file")
            let ending = try HearthProgram.run(["serve", "--data", file])
            expectRefusal(ending, naming: "error: \(file) is a file; give a folder.")
        }

        @Test(arguments: ["", "{}", "not JSON"])
        func aDamagedServiceAccountKeyIsNamed(contents: String) throws {
            let path = try damage(\.adminFile, contents)
            expectRefusal(try serve(), naming: "\(path) is damaged")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == contents)
        }

        @Test(arguments: ["", "not a plist", #"<plist version="1.0"><dict/></plist>"#])
        func aDamagedDeviceConfigurationIsNamed(contents: String) throws {
            let path = try damage(\.deviceFile, contents)
            expectRefusal(try serve(), naming: "\(path) is damaged")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == contents)
        }

        @Test func aDamagedDatabaseIsNamed() throws {
            let path = try damage(\.databaseFile, String(repeating: "not a database ", count: 1000))
            // What a server that ends at once leaves there would repair it.
            try? FileManager.default.removeItem(atPath: path + "-wal")
            expectRefusal(try serve(), naming: "The database \(path) is damaged")
        }

        /// Entries that an app's developer added are no damage.
        @Test func aDeviceConfigurationKeepsOtherEntries() throws {
            let first = try ServerProcess(data: folder)
            #expect(try first.terminate().exitCode == 0)
            let text = try String(contentsOfFile: first.deviceFile, encoding: .utf8)
            try text.replacingOccurrences(of: "<dict>", with: "<dict><key>IS_ADS_ENABLED</key><false/>")
                .write(toFile: first.deviceFile, atomically: true, encoding: .utf8)
            let second = try ServerProcess(data: folder)
            let updated = try String(contentsOfFile: second.deviceFile, encoding: .utf8)
            #expect(updated.contains("IS_ADS_ENABLED") && updated.contains(second.url))
        }
    }
}
