import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// The console of a real server, with `curl` in the place of a browser and the commands about it.
    @Suite struct ConsoleTests {
        private static let ready = "signs you in)\n"
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private var jar: String { folder.path + "/cookies" }

        private func link(_ server: ServerProcess) throws -> (url: String, code: String) {
            let printed = try server.hearth("console", "--print")
            #expect(printed.exitCode == 0 && printed.errors.contains("once, within a minute"), "\(printed.errors)")
            let parts = printed.output.trimmingCharacters(in: .newlines).split(separator: "#").map(String.init)
            try #require(parts.count == 2 && parts[0].hasSuffix("/console/sign-in"), "\(printed.output)")
            return (parts[0], parts[1])
        }

        /// Signs curl in; the address of the console.
        private func signIn(_ server: ServerProcess) throws -> (console: String, code: String) {
            let (url, code) = try link(server)
            let console = String(url.dropLast("/sign-in".count))
            let origin = console.replacing("/console", with: "")
            let reply = try Curl.call(url, ["-c", jar, "-H", "Origin: \(origin)", "--data-urlencode", "proof=\(code)"])
            #expect(reply.status == 303 && reply.headers["location"] == "/console/")
            return (console, code)
        }

        private func page(_ url: String) throws -> (status: Int, text: String, headers: [String: String]) {
            let reply = try Curl.call(url, ["-b", jar])
            return (reply.status, String(decoding: reply.body, as: UTF8.self), reply.headers)
        }

        private var session: String {
            get throws {
                let line = try String(contentsOfFile: jar, encoding: .utf8).split(separator: "\n").last
                return String(try #require(line?.split(separator: "\t").last))
            }
        }

        @Test func theLinkOfTheCommandSignsInOnceAndTheLogHoldsNoSecret() throws {
            let server = try ServerProcess(greetingEnds: Self.ready)
            #expect(server.greeting.contains("console:      \(server.url)/console/"))
            let (console, code) = try signIn(server)
            let account = try page(console + "/account")
            #expect(account.status == 200 && account.text.contains("<h1>Your account</h1>"))
            #expect(account.headers["x-content-type-options"] == "nosniff")
            #expect(account.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(
                try Curl.call(console + "/sign-in", ["-H", "Origin: \(server.url)", "-d", "proof=\(code)"]).status
                    == 401)
            // Secrets in places where a person might put them by mistake.
            let shared = try server.hearth("models", "push", "digits", SampleModels.file, "--publish")
            #expect(shared.exitCode == 0, "\(shared.errors)")
            let made = try server.hearth("console", "share", "--model", "digits", "--release", "1")
            let address = made.output.trimmingCharacters(in: .newlines)
            let secret = String(try #require(address.split(separator: "=").last))
            _ = try Curl.call(address)
            _ = try Curl.call(console + "/sign-in?proof=\(code)&to=\(code)")
            _ = try Curl.call(console + "/shared?\(secret)")
            let session = try session
            #expect(try server.terminate().exitCode == 0)
            #expect(server.log.contains("/console/account") && server.log.contains("/console/shared?"))
            for text in [code, session, secret] { #expect(!server.log.contains(text)) }
        }

        @Test func theCommandsListAndEndWhatIsOpen() throws {
            let server = try ServerProcess(greetingEnds: Self.ready)
            #expect(try server.hearth("console", "sessions").output == "No browser is signed in.\n")
            #expect(try server.hearth("console", "links").output == "There is no link.\n")
            let console = try signIn(server).console
            let sessions = try server.hearth("console", "sessions")
            let id = String(try session.prefix(16))
            #expect(sessions.output.contains(id) && sessions.output.contains("curl/"))
            #expect(try server.hearth("console", "revoke", id).output == "Revoked the session \(id).\n")
            #expect(try page(console + "/account").status == 303)
            let again = try server.hearth("console", "revoke", id)
            #expect(again.exitCode == 1 && again.errors.contains("You have no such session"))

            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            let made = try server.hearth("console", "share", "--model", "digits", "--release", "1", "--json")
            let link = try WireJSON.decode(ConsoleBodies.SharedLink.self, from: made.output.utf8)
            #expect(link.path?.hasPrefix(server.url + "/console/shared?link=") == true)
            #expect(try server.hearth("console", "links").output.contains(link.id))
            #expect(try server.hearth("console", "unshare", link.id).exitCode == 0)
            #expect(try Curl.call(try #require(link.path)).status == 404)
            try revokesLinks(server)
            for wrong in [
                ["share"], ["share", "--model", "digits"], ["share", "--release", "1"],
                ["share", "--model", "digits", "--release", "1", "--experiment", "x"],
            ] {
                let refused = try server.hearth(["console"] + wrong)
                #expect(refused.exitCode == 2 && refused.errors.contains("--experiment"), "\(refused.errors)")
            }
        }

        private func revokesLinks(_ server: ServerProcess) throws {
            let token = try server.hearth("keys", "token", "create", "ci", "--role", "publisher").output
                .trimmingCharacters(in: .newlines)
            let own = ["HEARTH_TOKEN": token, "HEARTH_URL": server.url]
            let made = try HearthProgram.run(
                ["console", "share", "--model", "digits", "--release", "1"], environment: own)
            let address = made.output.trimmingCharacters(in: .newlines)
            #expect(try Curl.call(address).status == 200, "\(made.errors)")
            let id = String(try #require(token.split(separator: "_").dropFirst().first))
            let revoked = try server.hearth("keys", "token", "revoke", id, "--yes")
            #expect(revoked.output.contains("1 shared link that it made ended with it."), "\(revoked.output)")
            #expect(try Curl.call(address).status == 404)
        }

        @Test func theStateOfTheServerAndItsLastBackup() throws {
            let server = try ServerProcess(arguments: ["--page-size", "50"], greetingEnds: Self.ready)
            func state() throws -> ServerBodies.Status {
                let told = try server.hearth("admin", "server", "--json")
                #expect(told.exitCode == 0, "\(told.errors)")
                return try WireJSON.decode(ServerBodies.Status.self, from: told.output.utf8)
            }
            let before = try state()
            #expect(
                before.version == HearthVersion.text && before.engine?.hasPrefix("LiteRT ") == true && before.console)
            #expect(before.lastBackupTime == nil && before.deviceUrl == server.url)
            #expect(before.folders?.map(\.name) == ["data", "blobs"] && before.folders?[0].freeBytes != nil)
            let setting = before.settings?.first { $0.name == "page-size" }
            #expect(setting?.value == "50" && setting?.source == "--page-size")
            #expect(before.settings?.first { $0.name == "header-bytes" }?.source == "default")

            let copied = try server.hearth("admin", "backup", folder.path + "/copy", "--data", server.data.path)
            #expect(copied.exitCode == 0, "\(copied.errors)")
            let time = try #require(try state().lastBackupTime)
            let text = try server.hearth("admin", "server", "--settings")
            #expect(text.output.contains("last backup:") && text.output.contains(time.prefix(10)))
            #expect(text.output.contains("page-size") && text.output.contains("--page-size"))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy/last-backup"))

            let made = try server.hearth("keys", "token", "create", "reader", "--role", "viewer")
            let token = made.output.trimmingCharacters(in: .newlines)
            let viewer = ["HEARTH_TOKEN": token, "HEARTH_URL": server.url]
            let seen = try HearthProgram.run(["admin", "server"], environment: viewer)
            #expect(seen.output.contains("version:") && !seen.output.contains("folder"), "\(seen.errors)")
            let refused = try HearthProgram.run(["admin", "server", "--settings"], environment: viewer)
            #expect(refused.exitCode == 1 && refused.errors.contains("Only operators see the settings."))
            let console = try signIn(server).console
            #expect(try page(console + "/server").text.contains("LiteRT"))
        }

        @Test func anAddressForPeopleHidesTheConsoleFromThatOfDevices() throws {
            let server = try ServerProcess(arguments: ["--admin-address", "127.0.0.1:0"], greetingEnds: Self.ready)
            let admin = try server.adminKey().hearthURL
            #expect(admin != server.url)
            let console = try signIn(server).console
            #expect(console == admin + "/console")
            #expect(try page(console + "/account").status == 200)
            for path in [
                "/console/", "/%63onsole/account", "/console/api/hearth/v1/caller", "/hearth/v1/projects", "/token",
            ] {
                #expect(try page(server.url + path).status == 404, "\(path)")
            }
            #expect(try server.deviceConfiguration()["HEARTH_SERVER_URL"] == server.url)
            let device = try CurlDevice(server)
            #expect(try device.info("digits").status == 404)
            #expect(try Curl.call(server.url + "/healthz").status == 200)
            let start = try Curl.call(admin + "/")
            #expect(start.status == 303 && start.headers["location"] == "/console/")
            let devices = try page(server.url + "/")
            #expect(devices.status == 200 && devices.text.contains("no pages for people at this address"))
        }

        @Test func aServerWithoutAConsoleSaysSo() throws {
            let server = try ServerProcess(arguments: ["--console", "off"])
            #expect(try Curl.call(server.url + "/console/").status == 404)
            let start = try page(server.url + "/")
            #expect(start.status == 200 && start.text.contains("This is a Hearth server"))
            let refused = try server.hearth("console", "--print")
            #expect(refused.exitCode == 1 && refused.errors.contains("no console here"), "\(refused.errors)")
        }
    }
}
