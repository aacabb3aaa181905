import Foundation
import HearthAdmin
import HearthAdminTestSupport
import HearthArguments
import HearthCalls
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct AdminOptionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func keyFile() throws -> String {
        let key = ServiceAccountKey(
            projectID: "p", privateKeyID: "1", privateKey: "pem", clientEmail: "a@b", clientID: "2",
            clientSecret: "3", hearthURL: "https://named.in.key/")
        return try folder.write(WireJSON.encode(key), to: "key.json")
    }

    private func text(_ credentials: AdminCredentials) -> String {
        switch credentials {
        case .serviceAccount(let key): "key of \(key.clientEmail) at \(credentials.url), \(key.tokenURI)"
        case .token(let token, _): "token \(token) at \(credentials.url)"
        }
    }

    private func text(_ choice: CredentialsChoice, _ environment: [String: String] = [:]) throws -> String {
        text(try choice.credentials(environment))
    }

    @Test func theCommandLineGoesBeforeTheEnvironment() throws {
        let file = try keyFile()
        let token = try folder.write(Array(" word \n".utf8), to: "token")
        let environment = ["HEARTH_TOKEN": "other", "HEARTH_URL": "http://env", "HEARTH_CREDENTIALS": "/nowhere"]
        #expect(
            try text(.init(credentialsFile: file), ["HEARTH_TOKEN": "other"])
                == "key of a@b at https://named.in.key, https://named.in.key/token")
        #expect(try text(.init(tokenFile: token, url: "http://given//"), environment) == "token word at http://given")
        #expect(try text(.init(), environment) == "token other at http://env")
        #expect(try text(.init(), ["HEARTH_CREDENTIALS": file]).hasPrefix("key of"))
        // The address may be another one than the key says, as through a tunnel.
        #expect(
            try text(.init(credentialsFile: file, url: "http://127.0.0.1:1"))
                == "key of a@b at http://127.0.0.1:1, http://127.0.0.1:1/token")
    }

    @Test func whatIsMissingIsSaid() throws {
        func failure(_ choice: CredentialsChoice, _ environment: [String: String] = [:]) -> String {
            do { return try text(choice, environment) } catch { return ErrorText.describe(error) }
        }
        #expect(failure(.init(credentialsFile: folder.path)).contains("is a folder"))
        #expect(failure(.init(credentialsFile: "/no/file")).contains("HEARTH_CREDENTIALS"))
        #expect(failure(.init(), ["HEARTH_TOKEN": "x"]).contains("HEARTH_URL"))
        #expect(failure(.init(), ["HEARTH_TOKEN": "two words", "HEARTH_URL": "http://h"]).contains("one word"))
        #expect(failure(.init(url: "ftp://h"), ["HEARTH_TOKEN": "x"]).contains("http://"))
        #expect(
            failure(.init(credentialsFile: try folder.write([0], to: "junk"))).contains("not a service-account key"))
        // No failure repeats the secret.
        #expect(!failure(.init(), ["HEARTH_TOKEN": "two words", "HEARTH_URL": "http://h"]).contains("two words"))
    }

    @Test func proxyAndAuthoritiesComeFromTheEnvironment() {
        let none = AdminNetwork(["HEARTH_PROXY": "", "HEARTH_CA_FILE": ""])
        #expect(none.proxy == .environment && none.caFile == nil)
        let given = AdminNetwork(["HEARTH_PROXY": "http://proxy:1", "HEARTH_CA_FILE": "/ca.pem"])
        #expect(given.proxy == .url("http://proxy:1") && given.caFile == "/ca.pem")
        #expect(AdminNetwork(["HEARTH_PROXY": "none"]).proxy == .some(.none))
    }

    /// The library knows no options; what to do with them is the commands' to say.
    @Test func errorsSayWhatToDoOnTheCommandLine() throws {
        func report(_ client: AdminClient) -> String {
            do { return try client.project() } catch { return ErrorText.describe(error) }
        }
        func client(_ ids: [String]) -> AdminClient {
            let projects = ids.map { ProjectBodies.Resource(projectId: $0, projectNumber: "1", createTime: "") }
            return StubServer { _ in StubServer.json(ProjectBodies.List(projects: projects)) }
                .client(project: nil).client
        }
        #expect(report(client([])).contains("hearth projects create"))
        #expect(report(client(["first-one", "second-one"])).contains("--project"))
    }

    @Test func refusalsHaveTheServersWordAsTheirCode() {
        func code(_ response: TransportResponse) -> String? {
            let server = StubServer { _ in response }
            let error = #expect(throws: AdminError.self) { try server.client().client.projects() }
            return error.map { ErrorNotice.code(of: $0) }
        }
        #expect(code(StubServer.json(ErrorEnvelope(.notFound, "There is no such model."), status: 404)) == "NOT_FOUND")
        #expect(code(StubServer.empty(418)) == "HTTP_418")
        #expect(code(StubServer.empty(200)) == "FAILED")
    }

    @Test func anIncompleteUploadIsReportedInReadableUnits() throws {
        let file = try folder.write([UInt8](repeating: 7, count: 9 << 20), to: "large.tflite")
        let server = StubServer { call in
            call.method == "POST"
                ? StubServer.empty(201, [("Location", "/s")]) : StubServer.refusal(507, "The disk is full")
        }
        let uploader = FileUploader(client: server.client().client, recordFolder: folder.path + "/cache")
        let error = #expect(throws: AdminError.self) { try uploader.upload(file, name: "m") }
        #expect(
            error.map { ErrorText.describe($0) }
                == "The disk is full. 0 B of 9.0 MiB are on the server; to continue, run "
                + "the same command with --resume.")
        #expect(error.map { ErrorNotice.code(of: $0) } == "FAILED")
    }
}
