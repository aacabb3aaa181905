import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: files whose check takes long") struct SlowValidationTests {
    private let checker = BlockingChecker()

    /// A service whose calls do not wait, or wait as long as it takes.
    private func makeService(waits: Bool = false) throws -> TestService {
        try TestService(checker: checker) { $0.limits.validationWaitSeconds = waits ? 86_400 : 0 }
    }

    private func create(_ service: TestService, _ contents: String, isPublished: Bool = false) throws -> TestResponse {
        #expect(try service.upload(contents).status == 200)
        return try service.admin(
            .post, "models",
            #"{"displayName":"flowers","state":{"published":\#(isPublished)},"tfliteModel":{"gcsTfliteUri":"\#(service.uri())"}}"#
        )
    }

    @Test("A create that does not wait answers an operation that goes on, and the model is locked until the verdict")
    func operation() throws {
        let service = try makeService()
        let answer = try create(service, FakeProbe.ok())
        #expect(answer.status == 200 && answer["done"] as? Bool == false)
        #expect(answer["response"] == nil && answer["error"] == nil)
        let name = "projects/project-a/operations/1000001-1"
        #expect(answer.string("name") == name)
        let metadata = try #require(answer["metadata"] as? [String: Any])
        #expect(
            metadata["@type"] as? String
                == "type.googleapis.com/google.firebase.ml.v1beta2.ModelOperationMetadata")
        #expect(metadata["name"] as? String == "projects/project-a/models/1000001")
        #expect(metadata["basicOperationStatus"] as? String == "BASIC_OPERATION_STATUS_VERIFYING")

        let locked = try service.admin(.get, "models/1000001")
        let active = try #require(locked["activeOperations"] as? [[String: Any]])
        #expect(active.count == 1 && NSDictionary(dictionary: active[0]) == NSDictionary(dictionary: answer.object))
        #expect(locked["modelHash"] == nil && locked["state"] == nil)
        #expect(locked.string("tfliteModel.gcsTfliteUri") == service.uri())
        let listed = try #require(try service.admin(.get, "models")["models"] as? [[String: Any]])
        #expect(listed.first?["activeOperations"] != nil)
        #expect(try service.admin(.get, "operations/1000001-1")["done"] as? Bool == false)

        checker.open()
        service.waitForCheck(FakeProbe.ok())
        let done = try service.admin(.get, "operations/1000001-1")
        #expect(done["done"] as? Bool == true && done.string("name") == name && done["metadata"] == nil)
        #expect(done.string("response.modelHash") == hash(FakeProbe.ok()))
        #expect(done["response.activeOperations"] == nil)
    }

    @Test("A call that may wait answers with the verdict")
    func waiting() throws {
        let service = try makeService(waits: true)
        // A thread of its own: those of the pool may all be waiting for gates of other tests.
        Thread.detachNewThread { [checker] in checker.open() }
        let answer = try create(service, FakeProbe.ok(), isPublished: true)
        #expect(answer["done"] as? Bool == true && answer["name"] == nil)
        #expect(answer["response.state.published"] as? Bool == true)
    }

    @Test("Publishing a file that is being checked takes effect with the verdict")
    func publish() throws {
        let service = try makeService()
        let answer = try create(service, FakeProbe.ok(), isPublished: true)
        #expect(answer["done"] as? Bool == false)
        #expect(try service.admin(.get, "models/1000001")["hearth.publishWhenValidated"] as? Int == 1)
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
        checker.open()
        service.waitForCheck(FakeProbe.ok())
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok()))
        let model = try service.admin(.get, "models/1000001")
        #expect(model["state.published"] as? Bool == true && model["hearth.publishWhenValidated"] == nil)
    }

    @Test("A file that turns out malformed ends its operation with a model that says so, unpublished")
    func malformed() throws {
        let service = try makeService()
        #expect(try create(service, FakeProbe.malformed(), isPublished: true)["done"] as? Bool == false)
        checker.open()
        service.waitForCheck(FakeProbe.malformed())
        let done = try service.admin(.get, "operations/1000001-1")
        #expect(done.string("response.state.validationError.message") == "Invalid flatbuffer format")
        #expect(done["response.state.published"] == nil && done["response.hearth.publishWhenValidated"] == nil)
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A new file on a published model leaves devices with the old one until the verdict")
    func replace() throws {
        let service = try makeService()
        checker.open()
        #expect(try create(service, FakeProbe.ok("1"), isPublished: true).status == 200)
        service.waitForCheck(FakeProbe.ok("1"))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
        #expect(try service.upload(FakeProbe.ok("2")).status == 200)
        _ = try service.admin(
            .patch, "models/1000001", #"{"tfliteModel":{"gcsTfliteUri":"\#(service.uri())"}}"#)
        service.waitForCheck(FakeProbe.ok("2"))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
    }

    @Test("A version that waits is published with its verdict, also when a newer one was made in between")
    func overtaken() throws {
        let service = try makeService()
        #expect(try create(service, FakeProbe.ok("1"), isPublished: true)["done"] as? Bool == false)
        let publisher = try service.accessToken(service.addAccount("ci", .publisher))
        _ = try service.upload(FakeProbe.malformed("2"), name: "newer")
        let newer = try service.hearth(
            .post, "projects/project-a/models/1000001/versions", #"{"source":"\#(service.uri("newer"))"}"#,
            token: publisher)
        #expect(newer["version"] as? Int == 2 && newer.string("verdict") == "pending")
        checker.open()
        service.waitForCheck(FakeProbe.ok("1"))
        service.waitForCheck(FakeProbe.malformed("2"))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
        let model = try service.admin(.get, "models/1000001")
        #expect(model["hearth.publishWhenValidated"] == nil && model["hearth.releasedVersion"] as? Int == 1)
        let release = try service.hearthAdmin(.get, "models/1000001/releases/1")
        #expect(release.string("createdBy") == service.a.account.email)

        let first = try service.admin(.get, "operations/1000001-1")
        #expect(first.string("response.modelHash") == hash(FakeProbe.ok("1")))
        #expect(first["response.state.validationError"] == nil && first["response.hearth.version"] as? Int == 1)
        let second = try service.admin(.get, "operations/1000001-2")
        #expect(second.string("response.state.validationError.message") == "Invalid flatbuffer format")
    }

    @Test("A version gets its note at once, and an alias only with a good verdict")
    func alias() throws {
        let service = try makeService()
        _ = try create(service, FakeProbe.ok("1"))
        func put() throws -> TestResponse {
            try service.hearthAdmin(.put, "models/1000001/aliases/champion", #"{"version":1}"#)
        }
        try put().expectRefusal(
            400, "FAILED_PRECONDITION",
            "Version 1 is still being validated; try again when there is a verdict.")
        let noted = try service.hearthAdmin(.patch, "models/1000001/versions/1", #"{"note":"May's images"}"#)
        #expect(noted.string("note") == "May's images" && noted.string("verdict") == "pending")
        checker.open()
        service.waitForCheck(FakeProbe.ok("1"))
        #expect(try put()["version"] as? Int == 1)
    }

    @Test("A change that is not about the file is done at once while the file is checked")
    func otherChange() throws {
        let service = try makeService()
        #expect(try create(service, FakeProbe.ok())["done"] as? Bool == false)
        let answer = try service.admin(.patch, "models/1000001?updateMask=tags", #"{"tags":["t"]}"#)
        #expect(answer["done"] as? Bool == true && answer["response.tags"] as? [String] == ["t"])
        #expect((answer["response.activeOperations"] as? [Any])?.count == 1)
        checker.open()
    }

    @Test("A model that is deleted while its file is checked is gone, and so is its operation")
    func deleted() throws {
        let service = try makeService()
        #expect(try create(service, FakeProbe.ok(), isPublished: true)["done"] as? Bool == false)
        #expect(try service.admin(.delete, "models/1000001").text == "{}")
        checker.open()
        service.waitForCheck(FakeProbe.ok())
        try service.admin(.get, "operations/1000001-1").expectRefusal(404, "NOT_FOUND")
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
        #expect(service.log.lines.isEmpty)
    }

    @Test(
        "An operation that never was is not found",
        arguments: [
            "1000001-2", "1000001-0", "1000002-1", "1000001", "x", "1000001-x", "-1", "1000001-1-1", "op-1",
            "99999999999999999999-1", "1000001-99999999999999999999", "%F0%9F%94%A5",
        ])
    func unknown(id: String) throws {
        let service = try TestService()
        try service.makeModel("flowers", FakeProbe.ok())
        try service.admin(.get, "operations/\(id)").expectRefusal(404, "NOT_FOUND")
        try service.admin(.get, "operations/1000001-1", as: service.b).expectRefusal(404, "NOT_FOUND")
    }

    @Test("A release of a version that is being checked waits for the verdict; without time to wait it is refused")
    func release() throws {
        let service = try makeService()
        #expect(try create(service, FakeProbe.ok())["done"] as? Bool == false)
        try service.hearthAdmin(.post, "models/1000001/releases").expectRefusal(
            400, "FAILED_PRECONDITION", "Version 1 is still being checked; try again when there is a verdict.")
        #expect(try service.hearthAdmin(.get, "models/1000001/versions/1").string("verdict") == "pending")
        checker.open()
        service.waitForCheck(FakeProbe.ok())
        #expect(try service.hearthAdmin(.post, "models/1000001/releases")["release"] as? Int == 1)
    }
}
