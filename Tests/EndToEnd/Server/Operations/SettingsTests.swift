import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Settings from all three places, through the program.
    @Suite struct SettingsTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func printed(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProcessResult {
            try HearthProgram.run(["serve", "--print-config"] + arguments, environment: environment)
        }

        @Test func settingsComeFromFlagEnvironmentAndFile() throws {
            let file = try folder.write(Array("port = 1\npage-size = 2\nlink-seconds = 3\n".utf8), to: "hearth.conf")
            let data = folder.path + "/data"
            let first = try printed(
                ["--config", file, "--port", "7", "--data", data], ["HEARTH_PORT": "5", "HEARTH_PAGE_SIZE": "6"])
            #expect(first.exitCode == 0, "\(first.errors)")
            for line in ["port = 7", "page-size = 6", "link-seconds = 3", "idle-seconds = 60", "data = \(data)"] {
                #expect(first.output.contains("\n\(line)\n"), "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: data), "only printed")

            let copy = try folder.write(Array(first.output.utf8), to: "copy.conf")
            let second = try printed(["--config", copy])
            func settings(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
            #expect(settings(second.output) == settings(first.output))
        }

        @Test func mistakesAreOneLineWithTheirPlace() throws {
            let file = try folder.write(Array("\nidle-seconds = soon\n".utf8), to: "hearth.conf")
            let wrong: [([String], [String: String], String)] = [
                (["--config", file], [:], "\(file), line 2, idle-seconds: 'soon' is not possible"),
                ([], ["HEARTH_PORT": "tcp://10.0.0.1:8787"], "HEARTH_PORT in the environment: 'tcp://10.0.0.1:8787'"),
                (["--threads", "0"], [:], "--threads: '0' is not possible; give a whole number from 1 to 1024."),
                (["--trusted-proxies", "proxy"], [:], "--trusted-proxies: 'proxy' is not possible"),
            ]
            for (arguments, environment, message) in wrong {
                let ending = try printed(arguments, environment)
                #expect(ending.exitCode == 2)
                #expect(ending.output.isEmpty)
                #expect(ending.errorLines.count == 1)
                #expect(ending.errorLines.first?.contains(message) == true, "\(ending.errors)")
            }
            let absent = try printed(["--config", folder.path + "/absent"])
            #expect(absent.exitCode == 1 && absent.errorLines.count == 1)
        }

        /// The limit that was set is the limit that holds.
        @Test func aLimitFromTheFileHolds() throws {
            let file = try folder.write(Array("upload-bytes = 1000\nbody-bytes = 2000\n".utf8), to: "hearth.conf")
            let server = try ServerProcess(arguments: ["--config", file])
            let admin = try CurlAdmin(server)
            for (count, status) in [(1000, 200), (1001, 413)] {
                let upload = try folder.write([UInt8](repeating: 1, count: count), to: "upload")
                #expect(try admin.upload(upload).status == status)
            }
            for (count, status) in [(2000, 400), (2001, 413)] {
                #expect(try admin.send("POST", admin.modelsURL, String(repeating: " ", count: count)).status == status)
            }
        }

        @Test func aCertificateFromFilesServesTLS() throws {
            let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
            let made = try RunningProgram(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                    "-out", certificate,
                ]
            ).waitForExit(seconds: 30)
            try #require(made.exitCode == 0, "\(made.errors)")
            let server = try ServerProcess(arguments: ["--tls-certificate", certificate, "--tls-key", key])
            #expect(server.url.hasPrefix("https://127.0.0.1:"))
            #expect(try server.adminKey().hearthURL == server.url)
            #expect(try Curl.call(server.url + "/readyz", ["--cacert", certificate]).status == 200)
            #expect(throws: RunningProgram.Failure.self) { try Curl.call(server.url + "/readyz") }

            // What a slip in the address and a certificate of one's own lead to.
            let stranger = try server.hearth("models", "list")
            #expect(stranger.exitCode == 1 && stranger.errors.contains("HEARTH_CA_FILE"), "\(stranger.errors)")
            let plain = try server.hearth("models", "list", "--url", server.url.replacing("https:", with: "http:"))
            #expect(plain.exitCode == 1 && plain.errors.contains("use https://"), "\(plain.errors)")

            let refused = try serve("--tls-certificate", certificate, "--tls-key", certificate)
            #expect(
                refused.exitCode == 1
                    && refused.errors.contains("the file \(certificate) is not an unencrypted private key"))
            #expect(refused.errors.split(separator: "\n").count == 1)
            let noCertificate = try serve("--tls-certificate", key, "--tls-key", key)
            #expect(
                noCertificate.errors.contains("The file \(key) is not a valid certificate"), "\(noCertificate.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        }

        private func serve(_ arguments: String...) throws -> ProcessResult {
            try HearthProgram.run(["serve", "--data", folder.path + "/new", "--port", "0"] + arguments)
        }

        @Test func httpsToAPlainPortSaysSo() throws {
            let server = try ServerProcess()
            let ending = try server.hearth("models", "list", "--url", server.url.replacing("http:", with: "https:"))
            #expect(ending.exitCode == 1 && ending.errors.contains("use http://"), "\(ending.errors)")
        }

        @Test func aNewerSchemaIsRefusedInOneLine() throws {
            let first = try ServerProcess(data: folder)
            #expect(try first.terminate().exitCode == 0)
            let result = try RunningProgram(
                "/usr/bin/env",
                [
                    "python3", "-c",
                    "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version=99')",
                    first.databaseFile,
                ]
            ).waitForExit(seconds: 30)
            try #require(result.exitCode == 0, "\(result.errors)")
            let ending = try HearthProgram.run(["serve", "--data", folder.path, "--port", "0"])
            #expect(ending.exitCode == 1)
            #expect(ending.errors.split(separator: "\n").count == 1)
            #expect(ending.errors.contains("schema 99"))
        }
    }
}
