import HearthCatalog
import HearthCrypto
import HearthIdentity
import Testing

@Suite("First start") struct FirstStartTests {
    private static let made = Result { try NewProject(projectID: "demo-project", nowMicroseconds: 5) }

    @Test("The API key has the form that clients check: 39 URL-safe characters, the first an A")
    func apiKey() throws {
        let key = try Self.made.get().apiKey
        #expect(key.wholeMatch(of: /A[A-Za-z0-9_-]{38}/) != nil)
    }

    @Test("The project's ids fit together as Firebase's do")
    func project() throws {
        let start = try Self.made.get()
        let project = start.project
        #expect(project.id == "demo-project" && project.createdMicroseconds == 5)
        #expect((100_000_000_000..<1_000_000_000_000).contains(project.number))
        #expect(start.apiKeyRecord.appID.wholeMatch(of: /1:[0-9]{12}:ios:[0-9a-f]{22}/) != nil)
        #expect(start.apiKeyRecord.appID.hasPrefix("1:\(project.number):"))
        #expect(start.bundleID == "app.hearth.demo-project")
    }

    @Test("The account belongs to the project, and its public key to the private one")
    func account() throws {
        let start = try Self.made.get()
        #expect(start.account.projectID == "demo-project")
        #expect(start.account.email == "admin@demo-project.iam.hearth.invalid")
        #expect(start.accountKey.clientID.allSatisfy(\.isNumber) && !start.accountKey.clientID.isEmpty)
        #expect(start.accountKey.id.wholeMatch(of: /[0-9a-f]{40}/) != nil)
        #expect(start.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(try RSAPrivateKey(pem: start.privateKeyPEM).publicKey.pem == start.accountKey.publicKeyPEM)
    }

    @Test("What goes into the database, or into a log, is hashes and the public key")
    func hashes() throws {
        let start = try Self.made.get()
        #expect(SecretHash.matches(start.apiKey, hex: start.apiKeyRecord.secretHash))
        #expect(SecretHash.matches(start.clientSecret, hex: start.accountKey.clientSecretHash))
        let secrets = [start.apiKey, start.clientSecret, start.privateKeyPEM]
        var dumped = ""
        dump(start, to: &dumped)
        for text in ["\(start.apiKeyRecord)", "\(start.accountKey)", "\(start)", String(reflecting: start), dumped] {
            for secret in secrets { #expect(!text.contains(secret)) }
            #expect(!text.contains("PRIVATE"))
        }
    }

    @Test("Nothing is the same twice")
    func random() throws {
        let (first, second) = (try Self.made.get(), try NewProject(projectID: "demo-project", nowMicroseconds: 5))
        #expect(first.apiKey != second.apiKey && first.clientSecret != second.clientSecret)
        #expect(first.project.number != second.project.number && first.apiKeyRecord.appID != second.apiKeyRecord.appID)
        #expect(first.accountKey.id != second.accountKey.id && first.accountKey.clientID != second.accountKey.clientID)
        #expect(first.accountKey.publicKeyPEM != second.accountKey.publicKeyPEM)
    }

    @Test("A project id of another form is refused by name", arguments: ["demo", "Demo-Project", "demo_project", ""])
    func projectID(id: String) {
        let text = "A project id must have 6 to 30 lower-case letters, digits or hyphens: '\(id)'"
        #expect(throws: CatalogError(.invalidArgument, text)) { try NewProject(projectID: id, nowMicroseconds: 0) }
    }
}
