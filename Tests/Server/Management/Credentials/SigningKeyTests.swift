import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Signing keys") struct SigningKeyTests {
    private static let path = "server/signingKeys"

    /// With the keys in files, or in the database as for several servers.
    private func makeService(isShared: Bool = false) throws -> (service: TestService, root: String) {
        let service = try TestService { services in
            guard isShared, let secret = try? Self.sharedSecret(services) else { return }
            services.secret = secret
            services.accessTokens = AccessTokens(secret: secret)
            services.installationTokens = InstallationTokens(secret: secret)
            services.links = LinkSigner(secret: secret)
            services.installationHash = InstallationHash(secret: secret)
        }
        return (service, try service.adminToken(.owner, in: nil))
    }

    private static func sharedSecret(_ services: TestServices) throws -> ServerSecret {
        try ServerSecret(
            store: MetadataSigningKeyStore(services.metadata), nowMicroseconds: services.now().microseconds)
    }

    private func keys(_ service: TestService, _ root: String) throws -> [String] {
        let answer = try service.hearth(.get, Self.path, token: root)
        return try WireJSON.decode(SigningKeyBodies.List.self, from: answer.body).signingKeys
            .map { "\($0.id) \($0.state)" }
    }

    private func key(_ answer: TestResponse) throws -> SigningKeyBodies.Key {
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(SigningKeyBodies.Key.self, from: answer.body)
    }

    /// What a device and a tool got from the server, and whether they can still use it.
    private struct Issued {
        let service: TestService
        let device: String
        let refresh: String
        let access: String
        let link: String

        init(_ service: TestService) throws {
            self.service = service
            let made = try service.call(
                .post, "/v1/projects/project-a/installations", headers: ["X-Goog-Api-Key": service.a.apiKey],
                body: Array(
                    #"{"fid":"\#(TestService.fid)","authVersion":"FIS_v2","appId":"\#(service.a.apiKeyRecord.appID)"}"#
                        .utf8))
            device = try #require(made.string("authToken.token"))
            refresh = try #require(made.string("refreshToken"))
            access = try service.accessToken(service.a)
            link = try service.link("flowers")
        }

        /// The statuses of a download, a refresh, an admin call and the link.
        func statuses() throws -> [Int] {
            [
                try service.call(
                    .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
                    headers: ["x-goog-firebase-installations-auth": device]
                ).status,
                try service.call(
                    .post, "/v1/projects/project-a/installations/\(TestService.fid)/authTokens:generate",
                    headers: ["X-Goog-Api-Key": service.a.apiKey, "Authorization": "FIS_v2 \(refresh)"]
                ).status,
                try service.hearth(.get, "projects/project-a", token: access).status,
                try service.call(.get, link).status,
            ]
        }
    }

    @Test(
        "What the old key signed works after a rotation, and stops when the key is retired; devices are counted once",
        arguments: [false, true])
    func life(isShared: Bool) throws {
        let (service, root) = try makeService(isShared: isShared)
        let model = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        /// How many installations were seen.
        func seen() throws -> Int? {
            try service.handler.writeAdoption(isLast: true)
            let report = try service.hearthAdmin(.get, "models/\(model)/devices")
            return ((report["devices"] as? [[String: Any]])?.first)?["count"] as? Int
        }
        let old = try Issued(service)
        #expect(try old.statuses() == [200, 200, 200, 200])
        #expect(try seen() == 1)
        #expect(try keys(service, root) == ["1 signing"])

        #expect(try key(service.hearth(.post, Self.path, token: root)).id == "2")
        service.time.advance(seconds: 60)
        #expect(service.handler.tickClock() == [])
        #expect(try keys(service, root) == ["1 valid", "2 signing"])
        let new = try Issued(service)
        #expect(new.device != old.device && new.refresh != old.refresh && new.link != old.link)
        #expect(try old.statuses() == [200, 200, 200, 200])
        #expect(try new.statuses() == [200, 200, 200, 200])
        #expect(try seen() == 1, "the same device")

        let retired = try key(service.hearth(.post, Self.path + "/1:retire", token: root))
        #expect(retired.state == "retired" && retired.retireTime != nil && retired.unchanged == nil)
        #expect(try key(service.hearth(.post, Self.path + "/1:retire", token: root)).unchanged == true)
        #expect(try keys(service, root) == ["1 retired", "2 signing"])
        #expect(try old.statuses() == [401, 401, 401, 403])
        #expect(try new.statuses() == [200, 200, 200, 200])
        #expect(try seen() == 1, "the same device, although its hash is from the retired key")
        // The device registers again.
        #expect(try Issued(service).statuses() == [200, 200, 200, 200])
        #expect(
            try service.auditLines("").filter { $0.contains("signingKey") }.map { $0.split(separator: " ").dropFirst() }
                == [["signingKey.create", "signingKeys/2"], ["signingKey.retire", "signingKeys/1"]])
    }

    @Test("The key that signs cannot be retired, and a key that is not there neither")
    func refusals() throws {
        let (service, root) = try makeService()
        try service.hearth(.post, Self.path + "/1:retire", token: root).expectRefusal(
            400, "FAILED_PRECONDITION", "The key 1 signs all new tokens and links: rotate first, then retire it.")
        for id in ["2", "0", "01", "+1", "-1", "x", "99999999999999999999"] {
            try service.hearth(.post, "\(Self.path)/\(id):retire", token: root).expectRefusal(404, "NOT_FOUND")
        }
        #expect(try keys(service, root) == ["1 signing"])
        #expect(try service.auditLines("").filter { $0.contains("signingKey") } == [])
    }

    @Test("The keys of a former main server are listed and can be retired, for good")
    func former() throws {
        let main = try TestService()
        let folder = try TemporaryFolder()
        let file = folder.path + "/mirrored-keys"
        try MirroredSecret(keys: main.services.secret.mirroredKeys, signs: true).write(to: file)
        func promoted() throws -> TestService {
            try TestService { services in
                guard let former = try? MirroredSecret(file: file, signs: false),
                    let secret = try? ServerSecret(
                        store: FileSigningKeyStore(firstPath: folder.path + "/signing-secret"), mirrored: former,
                        nowMicroseconds: services.now().microseconds)
                else { return }
                services.secret = secret
                services.accessTokens = AccessTokens(secret: secret)
                services.installationTokens = InstallationTokens(secret: secret)
                services.links = LinkSigner(secret: secret)
            }
        }
        let service = try promoted()
        let root = try service.adminToken(.owner, in: nil)
        let old = try main.services.installationTokens.issue(
            fid: TestService.fid, appID: "app", projectNumber: service.a.project.number,
            nowSeconds: main.time.now.microseconds / 1_000_000)
        func status(_ service: TestService, _ token: String) throws -> Int {
            try service.call(
                .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
                headers: ["x-goog-firebase-installations-auth": token]
            ).status
        }
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let new = try Issued(service)
        #expect(try status(service, old) == 200)
        #expect(try keys(service, root) == ["former valid", "1 signing"])

        let retired = try key(service.hearth(.post, Self.path + "/former:retire", token: root))
        #expect(retired.id == "former" && retired.state == "retired" && retired.retireTime != nil)
        #expect(try keys(service, root) == ["1 signing"])
        #expect(try status(service, old) == 401)
        #expect(try new.statuses() == [200, 200, 200, 200])
        // A follower of this server gets them no more.
        #expect(service.services.secret.mirroredKeys.deviceTokens.count == 1)
        try service.hearth(.post, Self.path + "/former:retire", token: root).expectRefusal(404, "NOT_FOUND")
        // Nor does a start bring them back.
        let again = try promoted()
        #expect(try status(again, old) == 401)
        #expect(
            try service.auditLines("").filter { $0.contains("signingKey") }.map { $0.split(separator: " ").dropFirst() }
                == [["signingKey.retire", "signingKeys/former"]])
    }

    @Test("At most ten keys are in use")
    func limit() throws {
        let (service, root) = try makeService()
        for _ in 2...10 { #expect(try service.hearth(.post, Self.path, token: root).status == 200) }
        try service.hearth(.post, Self.path, token: root).expectRefusal(
            400, "FAILED_PRECONDITION", "There are 10 signing keys in use, which is the most: retire one first.")
        #expect(try service.hearth(.post, Self.path + "/3:retire", token: root).status == 200)
        #expect(try key(service.hearth(.post, Self.path, token: root)).id == "11")
    }

    @Test("With several servers a new key signs after a minute, and the answers say so")
    func settling() throws {
        let (service, root) = try makeService(isShared: true)
        let made = try key(service.hearth(.post, Self.path, token: root))
        #expect(made.state == "valid" && made.signsFromTime == "2027-01-15T08:01:00.000123Z")
        try service.hearth(.post, Self.path + "/1:retire", token: root).expectRefusal(
            400, "FAILED_PRECONDITION",
            "The key 1 signs for 60 s more, until all servers know its successor: retire it then.")
        service.time.advance(seconds: 59)
        #expect(service.handler.tickClock() == [])
        #expect(try keys(service, root) == ["1 signing", "2 valid"])
        service.time.advance(seconds: 1)
        #expect(service.handler.tickClock() == [])
        #expect(try keys(service, root) == ["1 valid", "2 signing"])
        #expect(try service.hearth(.post, Self.path + "/1:retire", token: root).status == 200)
    }

    @Test("No answer and no audit entry contains a secret")
    func secrecy() throws {
        let (service, root) = try makeService(isShared: true)
        let answers = [
            try service.hearth(.post, Self.path, token: root), try service.hearth(.get, Self.path, token: root),
        ]
        let stored = try service.services.metadata.read { try $0.signingKeys() }
        #expect(stored.count == 2)
        for answer in answers {
            #expect(!answer.text.contains("secret"))
            for key in stored { #expect(!answer.text.contains(Base64URL.encode(key.secret))) }
        }
        for key in stored {
            var dumped = ""
            dump(key, to: &dumped)
            #expect(dumped == "▿ SigningKey \(key.number)\n" || dumped == "- SigningKey \(key.number)\n")
        }
    }
}
