import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// What a server takes over without a restart, and where its log goes.
    @Suite struct ReloadTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        private func send(_ signal: Int32, to server: ServerProcess) { kill(server.id, signal) }

        @Test func aHangUpHasTheLogGoOnInANewFile() throws {
            let (log, old) = (folder.path + "/hearth.log", folder.path + "/hearth.log.1")
            let server = try ServerProcess(arguments: ["--log-file", log])
            #expect(try server.isHealthy())
            #expect(Deadline.wait { text(log).contains("/healthz") })
            try FileManager.default.moveItem(atPath: log, toPath: old)
            send(SIGHUP, to: server)
            #expect(Deadline.wait { text(log).contains("Reloaded.") })
            let before = text(old)
            #expect(try server.isHealthy())
            #expect(Deadline.wait { text(log).contains("/healthz") })
            #expect(text(old) == before)
            #expect(try server.terminate().exitCode == 0)
            #expect(text(log).contains("Stopping (SIGTERM)."))
            #expect(server.log == "", "nothing of it is on standard error")
            let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }

        @Test func aLogFileThatCannotBeOpenedAnewIsNoReasonToEnd() throws {
            let logs = folder.path + "/logs"
            try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: false)
            let server = try ServerProcess(arguments: ["--log-file", logs + "/log"])
            try FileManager.default.moveItem(atPath: logs, toPath: folder.path + "/moved")
            send(SIGHUP, to: server)
            #expect(Deadline.wait { text(folder.path + "/moved/log").contains("The log continues in the same file.") })
            #expect(try server.isHealthy())
        }

        /// A folder, a file in no folder, in a file, behind a link that leads nowhere, and in the place of what the server keeps.
        @Test(arguments: [
            "", "/none/log", "/new/", "/file/log", "/link", "/data/", "/data/hearth.sqlite", "/data/hearth.sqlite-wal",
            "/data/blobs/log",
        ])
        func aLogThatCannotBeStopsTheStartBeforeAnythingIsMade(place: String) throws {
            let data = folder.path + "/data"
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.write([], to: "file"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/link", withDestinationPath: folder.path + "/none/log")
            let ending = try HearthProgram.run([
                "serve", "--data", data, "--port", "0", "--log-file", folder.path + place,
            ])
            #expect(ending.exitCode == 1 && ending.errorLines.count == 1, "\(ending.errors)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }

        @Test func theLogMayBeInTheDataFolder() throws {
            let log = folder.path + "/server.log"
            for start in 1...2 {
                let server = try ServerProcess(data: folder, arguments: ["--log-file", log])
                #expect(try server.isHealthy())
                #expect(try server.terminate().exitCode == 0)
                #expect(text(log).components(separatedBy: "/healthz").count == 1 + start)
            }
        }

        @Test func theLogMayBeBesideADataFolderThatTheFirstStartMakes() throws {
            let place = folder.path + "/made"
            let program = try RunningProgram(
                HearthProgram.path(),
                ["serve", "--data", place + "/data", "--port", "0", "--log-file", place + "/server.log"])
            _ = try program.readOutput(until: "GoogleService-Info.plist\n", seconds: 60)
            program.send(SIGTERM)
            #expect(try program.waitForExit(seconds: 30).exitCode == 0)
            #expect(text(place + "/server.log").contains("Stopping (SIGTERM)."))
        }

        @Test func aRefusedStartIsToldInTheLogThatIsThere() throws {
            let log = try folder.write([], to: "log")
            _ = try folder.write([1], to: "data/hearth.sqlite")
            let ending = try HearthProgram.run([
                "serve", "--data", folder.path + "/data", "--port", "0", "--log-file", log,
            ])
            #expect(ending.exitCode == 1 && ending.errors.contains("is damaged"), "\(ending.errors)")
            #expect(text(log).contains("is damaged"))
        }

        @Test func signalsThatMeanNothingEndNothing() throws {
            let server = try ServerProcess()
            for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGHUP] { send(signal, to: server) }
            #expect(Deadline.wait { server.log.contains("Reloaded.") })
            #expect(try server.isHealthy())
            #expect(try server.terminate().exitCode == 0)
        }

        @Test func everyLineIsJSONWhereThatIsAskedFor() throws {
            func expectJSON(_ text: String) throws {
                for line in text.split(separator: "\n") {
                    #expect(throws: Never.self, "\(line)") { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
                }
            }
            let server = try ServerProcess(
                arguments: ["--log-format", "json"], greetingEnds: "GoogleService-Info.plist\"}\n")
            try expectJSON(server.greeting)
            #expect(server.greeting.contains(#""message":"Hearth is serving at http"#))
            let second = try HearthProgram.run([
                "serve", "--data", server.data.path, "--port", "0", "--log-format", "json",
            ])
            #expect(second.exitCode == 1 && second.errors.contains("Another server uses the data folder"))
            try expectJSON(second.errors + second.output)
            #expect(try server.terminate().exitCode == 0)
            try expectJSON(server.log)
        }

        @Test func aHangUpShowsARenewedCertificateToNewConnections() throws {
            let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
            try makeCertificate("first", key, certificate)
            let server = try ServerProcess(arguments: ["--tls-certificate", certificate, "--tls-key", key])
            func subject() throws -> String {
                let curl = try RunningProgram(
                    "/usr/bin/curl", ["-sSvk", "--stderr", "-", server.url + "/healthz"]
                ).waitForExit(seconds: 60)
                return curl.output.split(separator: "\n").first { $0.contains("subject:") }.map(String.init) ?? ""
            }
            #expect(try subject().contains("CN=first"))
            try makeCertificate("second", key, certificate)
            send(SIGHUP, to: server)
            #expect(Deadline.wait { server.log.contains("Reloaded: new connections get the certificate in") })
            #expect(try subject().contains("CN=second"))
            try "junk".write(toFile: key, atomically: true, encoding: .utf8)
            send(SIGHUP, to: server)
            #expect(
                Deadline.wait {
                    server.log.contains("The certificate was not reloaded; the server keeps the one before")
                })
            #expect(try subject().contains("CN=second"))
        }

        private func makeCertificate(_ name: String, _ key: String, _ certificate: String) throws {
            let made = try RunningProgram(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
                ]
            ).waitForExit(seconds: 30)
            try #require(made.exitCode == 0, "\(made.errors)")
        }
    }
}
