import Dispatch
import HearthAdminTestSupport
import HearthCalls
import HearthCrypto
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthAdmin

@Suite struct AdminClientTests {
    private static let lost = TransportError(.interrupted, "the connection broke")

    @Test func aTokenGoesWithEveryCall() throws {
        let server = StubServer { _ in StubServer.json(ModelList(models: nil, nextPageToken: nil)) }
        _ = try server.client().client.models()
        #expect(server.texts == ["GET /v1beta2/projects/p-stand-in/models"])
        #expect(server.calls[0].headers["authorization"] == "Bearer secret-token")
    }

    @Test func questionsAreAskedAgainWhenTheConnectionBreaksOrTheServerIsAway() throws {
        let answers = Mutex<[Result<TransportResponse, TransportError>]>([
            .failure(Self.lost), .success(StubServer.refusal(503)),
            .success(StubServer.refusal(429, headers: [("Retry-After", "7")])),
            .success(StubServer.json(ModelList(models: nil, nextPageToken: nil))),
        ])
        let server = StubServer { _ throws(TransportError) in
            try answers.withLock { $0.removeFirst() }.get()
        }
        let (client, pauses) = server.client()
        #expect(try client.models().isEmpty)
        #expect(pauses.seconds == [1, 2, 7])
    }

    @Test func aWaitHasAnEnd() {
        let server = StubServer { _ in StubServer.refusal(503, "busy") }
        let (client, pauses) = server.client()
        #expect(throws: AdminError.self) { try client.models() }
        #expect(server.calls.count == RetryPolicy.attemptLimit && pauses.seconds == [1, 2, 4, 8])

        let patient = StubServer { _ in StubServer.refusal(429, headers: [("Retry-After", "3600")]) }
        #expect(throws: AdminError.self) { try patient.client().client.models() }
        #expect(patient.calls.count == 1)
    }

    @Test func whyItWaitsIsSaidOnceForEachReason() throws {
        let reasons = Mutex(["busy", "busy", "full", "busy"])
        let server = StubServer { _ in
            let reason = reasons.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return reason.map { StubServer.refusal(503, $0) }
                ?? StubServer.json(ModelList(models: nil, nextPageToken: nil))
        }
        let notices = Mutex<[String]>([])
        let client = server.client(onNotice: { notice in
            if case .callRetried(let error) = notice { notices.withLock { $0.append(error.message) } }
        }).client
        #expect(try client.models().isEmpty)
        #expect(notices.withLock { $0 } == ["busy", "full"])
    }

    @Test func changesAreNotMadeTwice() {
        let broken = StubServer { _ throws(TransportError) in throw Self.lost }
        #expect(throws: AdminError.self) { try broken.client().client.createProject("another") }
        #expect(broken.calls.count == 1)

        let away = StubServer { _ in StubServer.refusal(503) }
        #expect(throws: AdminError.self) { try away.client().client.createProject("another") }
        #expect(away.calls.count == 1)

        // Too many calls: this one never happened.
        let busy = StubServer { _ in StubServer.refusal(429) }
        #expect(throws: AdminError.self) { try busy.client().client.createProject("another") }
        #expect(busy.calls.count == RetryPolicy.attemptLimit)
    }

    @Test func anAddressWithoutAServerIsReportedImmediately() {
        let server = StubServer { _ throws(TransportError) in
            throw TransportError(.couldNotConnect, "stand.in does not accept connections")
        }
        #expect(throws: AdminError.self) { try server.client().client.models() }
        #expect(server.calls.count == 1)
    }

    @Test func aServiceAccountSignsInAndAgainWhenItsTokenRanOut() throws {
        let issued = Mutex(0)
        let server = StubServer { call in
            if call.url.hasSuffix("/token") {
                let number = issued.withLock { count in
                    count += 1
                    return count
                }
                return StubServer.json(TokenBodies.Response(accessToken: "access-\(number)", expiresIn: 3600))
            }
            return call.headers["authorization"] == "Bearer access-2"
                ? StubServer.json(ModelList(models: nil, nextPageToken: nil)) : StubServer.refusal(401)
        }
        let key = ServiceAccountKey(
            projectID: "its-own", privateKeyID: "1", privateKey: try RSAPrivateKey.generate(bits: 2048).pem,
            clientEmail: "a@b", clientID: "2", clientSecret: "3", hearthURL: "http://stand.in")
        let client = AdminClient(.serviceAccount(key), transport: server, sleep: { _ in })
        #expect(try client.project() == "its-own")
        _ = try client.models()
        #expect(server.texts.filter { $0 == "POST /token" }.count == 2)
    }

    @Test func withATokenTheOnlyProjectIsMeant() throws {
        func client(_ ids: [String]) -> AdminClient {
            let projects = ids.map { ProjectBodies.Resource(projectId: $0, projectNumber: "1", createTime: "") }
            return StubServer { _ in StubServer.json(ProjectBodies.List(projects: projects)) }
                .client(project: nil).client
        }
        #expect(try client(["only-one"]).project() == "only-one")
        #expect(#expect(throws: AdminError.self) { try client([]).project() }?.code == .noProject)
        let error = #expect(throws: AdminError.self) { try client(["first-one", "second-one"]).project() }
        #expect(error?.code == .severalProjects)
    }

    @Test func listsComeInPagesUpToTheLimit() throws {
        let server = StubServer { call in
            var model = ModelResource()
            model.displayName = call.url.contains("pageToken") ? "second" : "first"
            return StubServer.json(ModelList(models: [model], nextPageToken: "next page"))
        }
        let models = try server.client().client.models(filter: "tags: a b", limit: 2)
        #expect(models.map(\.displayName) == ["first", "second"])
        #expect(server.texts[1].hasSuffix("?filter=tags%3A%20a%20b&pageSize=1&pageToken=next%20page"))
    }

    @Test func anOperationThatGoesOnIsWaitedFor() throws {
        let pending = OperationResource(name: "projects/p/operations/7-1", model: "projects/p/models/7")
        let asked = Mutex(0)
        let server = StubServer { call in
            guard call.url.hasSuffix("/v1beta2/projects/p/operations/7-1") else { return StubServer.json(pending) }
            let number = asked.withLock { count in
                count += 1
                return count
            }
            guard number > 2 else { return StubServer.json(pending) }
            var model = ModelResource()
            model.displayName = "digits"
            return StubServer.json(OperationResource(model))
        }
        #expect(try server.client().client.createModel(ModelResource()).displayName == "digits")
        #expect(asked.withLock { $0 } == 3)
    }

    @Test func refusalsSayWhatTheServerSaid() {
        func text(_ response: TransportResponse) -> String { AdminError(response).description }
        #expect(text(StubServer.refusal(403, "You are a viewer.")) == "You are a viewer.")
        #expect(text(StubServer.refusal(401, "Ended.")).contains("refused the credentials. Ended."))
        func detailed(_ message: String) -> String {
            let violation = BadRequestDetail.FieldViolation(field: "filter", description: "A term lacks its value.")
            let envelope = ErrorEnvelope(.invalidArgument, message, details: [BadRequestDetail([violation])])
            return text(StubServer.json(envelope, status: 400))
        }
        #expect(detailed("Request contains an invalid argument.") == "filter: A term lacks its value.")
        #expect(detailed("A term lacks its value.") == "A term lacks its value.")
        #expect(text(StubServer.empty(404)).contains("does not know this call"))
        // What a proxy says in HTML stays out of the terminal.
        let page = Array("<html><head><title>413 Request Entity Too Large</title></head></html>".utf8)
        let tooLarge = text(TransportResponse(status: 413, body: page))
        #expect(tooLarge.contains("client_max_body_size") && !tooLarge.contains("<"))
        #expect(text(StubServer.empty(418)).contains("status 418 does not come from a Hearth server"))
    }

    @Test func refusalsHaveTheServersWordAsTheirCode() {
        let refusal = StubServer.json(ErrorEnvelope(.notFound, "There is no such model."), status: 404)
        #expect(AdminError(refusal).serverCode == "NOT_FOUND")
        #expect(AdminError(StubServer.empty(418)).serverCode == "HTTP_418")
    }

    @Test func answersOfOtherProgramsAreOneLine() {
        let server = StubServer { _ in TransportResponse(status: 200, body: Array("<html>".utf8)) }
        do {
            _ = try server.client().client.models()
            Issue.record("a web page was read as models")
        } catch {
            #expect("\(error)".contains("is it a Hearth server?"))
        }
    }

    @Test func namesCannotLeaveTheirPlaceInAPath() throws {
        let server = StubServer { _ in StubServer.json([String: String]()) }
        let client = server.client(project: "../other").client
        _ = try? client.revokeAPIKey("a/b?c#d")
        #expect(server.texts == ["DELETE /hearth/v1/projects/..%2Fother/apiKeys/a%2Fb%3Fc%23d"])
    }

    @Test func accountsAreNamedByTheWholeAddress() throws {
        let server = StubServer { _ in
            StubServer.json(
                KeyBodies.ServiceAccount(email: "e", role: "owner", operator: nil, createTime: "", keys: nil))
        }
        _ = try server.client().client.revokeServiceAccount("ci", revokesTokens: false)
        #expect(
            server.texts == [
                "DELETE /hearth/v1/projects/p-stand-in/serviceAccounts/ci%40p-stand-in.iam.hearth.invalid"
            ])
    }

    @Test func severalThreadsUseOneClient() throws {
        let server = StubServer { call in
            call.url.hasSuffix("/hearth/v1/projects")
                ? StubServer.json(
                    ProjectBodies.List(projects: [.init(projectId: "p", projectNumber: "1", createTime: "")]))
                : StubServer.json(ModelList(models: nil, nextPageToken: nil))
        }
        let client = server.client(project: nil).client
        let answers = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            if (try? client.models()) != nil { answers.withLock { $0 += 1 } }
        }
        #expect(answers.withLock { $0 } == 8)
        #expect(server.texts.count { $0 == "GET /v1beta2/projects/p/models" } == 8)
    }
}
