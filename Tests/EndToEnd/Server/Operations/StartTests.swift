import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Starting, stopping and starting again.
    @Suite struct StartTests {
        private func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? Int)
        }

        @Test func firstStartWritesBothCredentialsFiles() throws {
            let server = try ServerProcess()
            #expect(server.greeting.contains(server.adminFile))
            #expect(server.greeting.contains(server.deviceFile))
            #expect(try mode(server.adminFile) == 0o600)
            #expect(try mode(server.deviceFile) == 0o600)
            #expect(try server.adminKey().hearthURL == server.url)
            #expect(try server.deviceConfiguration()["HEARTH_SERVER_URL"] == server.url)
            #expect(try server.isHealthy())
        }

        /// What the folder holds beside the credentials is its owner's only, too.
        @Test func nobodyElseCanReadTheData() throws {
            let server = try ServerProcess()
            #expect(try mode(server.databaseFile) & 0o077 == 0)
            for folder in ["keys", "blobs", "credentials"] {
                #expect(try mode(server.data.path + "/" + folder) == 0o700)
            }
            #expect(try mode(server.data.path + "/keys/signing-secret") == 0o600)
        }

        @Test func secondStartKeepsKeysAndModelsAndLearnsTheNewPort() throws {
            let data = try TemporaryFolder()
            let first = try ServerProcess(data: data)
            let key = try first.adminKey()
            let device = try first.deviceConfiguration()
            #expect(try first.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
            #expect(try first.terminate().exitCode == 0)

            let second = try ServerProcess(data: data)
            #expect(second.url != first.url)
            #expect(!second.greeting.contains("first start"))
            let sameKey = try second.adminKey()
            #expect(sameKey.privateKey == key.privateKey)
            #expect(sameKey.clientSecret == key.clientSecret)
            #expect(sameKey.hearthURL == second.url)
            #expect(sameKey.tokenURI == second.url + "/token")
            var expected = device
            expected["HEARTH_SERVER_URL"] = second.url
            #expect(try second.deviceConfiguration() == expected)
            #expect(try mode(second.adminFile) == 0o600)
            #expect(try mode(second.deviceFile) == 0o600)
            #expect(try second.hearth("models", "show", "digits").output.contains("published:  version 1"))
            #expect(try second.hearth("pull", "digits").exitCode == 0)
        }

        @Test func aLostSecretIsReported() throws {
            let data = try TemporaryFolder()
            #expect(try !ServerProcess(data: data).terminate().errors.contains("signing secret"))
            try FileManager.default.removeItem(atPath: data.path + "/keys/signing-secret")
            let second = try ServerProcess(data: data, arguments: ["--quiet"])
            let line = try #require(try second.terminate().errors.split(separator: "\n").first)
            #expect(line.contains(" error The signing secret \(data.path)/keys/signing-secret was missing"))
            #expect(line.contains("devices register again"))
        }

        @Test func aSecondServerInTheSameFolderIsRefused() throws {
            let server = try ServerProcess()
            let ending = try HearthProgram.run(["serve", "--data", server.data.path, "--port", "0"])
            #expect(ending.exitCode == 1)
            #expect(ending.output.isEmpty)
            #expect(ending.errors.split(separator: "\n").count == 1)
            #expect(ending.errorLines.first?.contains("Another server") == true)
            #expect(try server.isHealthy())
        }

        /// Two that start at the same moment in an empty folder: one serves, the other is refused.
        @Test func twoFirstStartsAtOnce() throws {
            let folder = try TemporaryFolder()
            let arguments = ["serve", "--data", folder.path, "--port", "0"]
            let programs = try (0..<2).map { _ in try RunningProgram(HearthProgram.path(), arguments) }
            #expect(Deadline.wait { programs.contains { !$0.isRunning } })
            let refused = try #require(programs.first { !$0.isRunning })
            let serving = try #require(programs.first { $0 !== refused })
            #expect(try refused.waitForExit(seconds: 10).errorLines.count == 1)
            let greeting = try serving.readOutput(until: "GoogleService-Info.plist\n", seconds: 30)
            #expect(greeting.contains("first start"))
        }

        @Test func aTakenPortIsOneLine() throws {
            let server = try ServerProcess()
            let folder = try TemporaryFolder()
            let ending = try HearthProgram.run(["serve", "--data", folder.path, "--port", "\(server.port)"])
            #expect(ending.exitCode == 1)
            #expect(ending.errors.split(separator: "\n").count == 1)
            #expect(ending.errorLines.count == 1)
        }

        @Test func otherAddressesNeedTLSOrAnExplicitWish() throws {
            let folder = try TemporaryFolder()
            let ending = try HearthProgram.run(["serve", "--data", folder.path + "/data", "--address", "0.0.0.0"])
            #expect(ending.exitCode == 2)
            #expect(ending.errorLines.first?.contains("--insecure-http") == true)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))

            let wanted = try RunningProgram(
                HearthProgram.path(),
                [
                    "serve", "--data", folder.path, "--address", "0.0.0.0", "--port", "0", "--insecure-http",
                    "--public-url", "https://models.example",
                ])
            #expect(try wanted.readOutput(until: "plist\n", seconds: 60).contains("at https://models.example\n"))
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func stopsCleanlyWithAnIdleConnectionOpen(signal: Int32) throws {
            let server = try ServerProcess()
            let idle = try RawConnection(port: server.port)
            try idle.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            #expect(idle.receive() != nil)
            Glibc.kill(server.id, signal)
            #expect(try server.ending().exitCode == 0)
            #expect(idle.receive() == nil)
        }
    }
}

extension EndToEndSuites {
    /// What `serve` is asked and cannot do is told before it serves.
    @Suite struct RefusedStartTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func serve(_ arguments: String...) throws -> ProcessResult {
            try HearthProgram.run(["serve", "--data", folder.path, "--port", "0"] + arguments)
        }

        private func expectUsageError(
            _ ending: ProcessResult, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
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
            _ ending: ProcessResult, naming text: String, sourceLocation: SourceLocation = #_sourceLocation
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
