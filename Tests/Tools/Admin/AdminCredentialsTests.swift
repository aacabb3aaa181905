import HearthAdmin
import HearthTestSupport
import Testing

@Suite struct AdminCredentialsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(_ path: String) -> AdminError.Code? {
        #expect(throws: AdminError.self) { try AdminCredentials(serviceAccountFile: path) }?.code
    }

    @Test func aFileThatIsNoKeyIsRefusedByItsKind() throws {
        #expect(code(folder.path + "/none") == .noCredentials)
        #expect(code(folder.path) == .invalidCredentials)
        #expect(code(try folder.write([0], to: "junk")) == .invalidCredentials)
    }

    @Test func theAddressHasNoSlashAtItsEnd() throws {
        #expect(AdminCredentials.token("word", url: "http://h//").url == "http://h")
        let key = ServiceAccountKey(
            projectID: "p", privateKeyID: "1", privateKey: "pem", clientEmail: "a@b", clientID: "2",
            clientSecret: "3", hearthURL: "https://named.in.key/")
        #expect(AdminCredentials.serviceAccount(key).url == "https://named.in.key")
        let file = try folder.write(WireJSON.encode(key), to: "key.json")
        #expect(try AdminCredentials(serviceAccountFile: file).url == "https://named.in.key")
        #expect(try AdminCredentials(serviceAccountFile: file, url: "http://127.0.0.1:1").url == "http://127.0.0.1:1")
    }
}
