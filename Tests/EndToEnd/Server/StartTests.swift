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
            #expect(try second.hearth("models", "show", "digits").output.contains("published:  yes"))
            #expect(try second.hearth("pull", "digits").exitCode == 0)
        }

        @Test func aLostSecretIsToldOf() throws {
            let data = try TemporaryFolder()
            #expect(try !ServerProcess(data: data).terminate().errors.contains("signing secret"))
            try FileManager.default.removeItem(atPath: data.path + "/keys/signing-secret")
            let second = try ServerProcess(data: data, arguments: ["--quiet"])
            let line = try #require(try second.terminate().errors.split(separator: "\n").first)
            #expect(line.contains(" error The signing secret \(data.path)/keys/signing-secret was missing"))
            #expect(line.contains("devices register anew"))
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
            #expect(try refused.end(seconds: 10).errorLines.count == 1)
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
