import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: change and delete") struct UpdateTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func setFile(_ id: String, _ name: String) throws -> TestResponse {
        try service.admin(
            .patch, "models/\(id)?updateMask=tfliteModel.gcsTfliteUri",
            #"{"tfliteModel":{"gcsTfliteUri":"\#(service.uri(name))"}}"#)
    }

    @Test("Publish and unpublish, as each SDK sends them")
    func publish() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        // Python sends the name along, Node does not.
        #expect(try service.publish(id)["response.state.published"] as? Bool == true)
        #expect(try service.admin(.get, "models/\(id)")["state.published"] as? Bool == true)
        let withdrawn = try service.admin(
            .patch, "models/\(id)?updateMask=state.published", #"{"state":{"published":false}}"#)
        #expect(withdrawn.status == 200 && withdrawn["done"] as? Bool == true && withdrawn["response.state"] == nil)
        #expect(withdrawn["response.hearth.releasedVersion"] == nil)
    }

    @Test("The whole resource sent back without a mask, as Python does, changes what the caller changed")
    func wholeResource() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true, tags: ["old"])
        let before = try service.admin(.get, "models/\(id)")
        var resource = before.object
        resource["tags"] = ["new"]
        resource["tfliteModel"] = [
            "gcsTfliteUri":
                "https://storage.googleapis.com/\(service.uri("flowers").dropFirst(5))?X-Goog-Expires=600",
            "sizeBytes": "4",
        ]
        service.time.advance(seconds: 60)
        let json = String(decoding: try JSONSerialization.data(withJSONObject: resource), as: UTF8.self)
        let answer = try service.admin(.patch, "models/\(id)", json)
        #expect(answer["response.tags"] as? [String] == ["new"])
        #expect(answer["response.state.published"] as? Bool == true)
        #expect(answer.string("response.modelHash") == before.string("modelHash"))
        #expect(answer["response.hearth.version"] as? Int == 1, "the same file is no new version")
        #expect(answer.string("response.createTime") == before.string("createTime"))
        #expect(answer.string("response.updateTime") == "2027-01-15T08:01:00.000123Z")
        #expect(answer.string("response.etag") != before.string("etag"))

        service.time.advance(seconds: 60)
        let again = try service.admin(.patch, "models/\(id)", json)
        #expect(again["response"] as? NSDictionary == answer["response"] as? NSDictionary, "a second time is nothing")
    }

    @Test("Sending back a model that waits for its file does no harm")
    func wholeResourceWithoutFile() throws {
        let id = try service.makeModel("plain")
        let resource = try service.admin(.get, "models/\(id)")
        let answer = try service.admin(.patch, "models/\(id)", resource.text)
        #expect(answer["response"] as? NSDictionary == NSDictionary(dictionary: resource.object))
    }

    @Test("A mask picks fields; what it names and the body lacks takes its default")
    func masks() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true, tags: ["old"])
        let body = #"{"displayName":"trees","tags":["new"],"state":{"published":false}}"#
        func change(_ query: String, _ json: String) throws -> TestResponse {
            try service.admin(.patch, "models/\(id)?\(query)", json)
        }
        let renamed = try change("updateMask=displayName", body)
        #expect(renamed.string("response.displayName") == "trees")
        #expect(renamed["response.tags"] as? [String] == ["old"])
        #expect(renamed["response.state.published"] as? Bool == true)

        let both = try change("updateMask=display_name,tags", #"{"display_name":"pines","tags":["a","b"]}"#)
        #expect(both.string("response.displayName") == "pines" && both["response.tags"] as? [String] == ["a", "b"])
        #expect(try change("update_mask=tags", "{}")["response.tags"] == nil)
        #expect(try change("updateMask=state", "{}")["response.state"] == nil, "unpublished")
        try change("updateMask=displayName", "{}").expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try change("updateMask=", #"{"tags":["c"]}"#)["response.tags"] as? [String] == ["c"])
        let ignored = try change("updateMask=name,etag,createTime,model_hash,tfliteModel.size_bytes", body)
        #expect(ignored.string("response.displayName") == "pines", "output-only fields may be named, in vain")
    }

    @Test("The mask * sends the whole model, as no mask does")
    func wholeMask() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true, tags: ["old"])
        let answer = try service.admin(.patch, "models/\(id)?updateMask=*", #"{"displayName":"trees","tags":["new"]}"#)
        #expect(answer.string("response.displayName") == "trees" && answer["response.tags"] as? [String] == ["new"])
        #expect(answer["response.state.published"] as? Bool == true)
    }

    @Test(
        "A mask with an unknown field is refused as a whole",
        arguments: [
            "bogus", "displayName,bogus", "state.bogus", "displayname", "*,tags", "tags.x", "hearth.version", "%2C%2Cx",
        ])
    func unknownMask(mask: String) throws {
        let id = try service.makeModel("flowers")
        try service.admin(.patch, "models/\(id)?updateMask=\(mask)", #"{"displayName":"trees"}"#)
            .expectRefusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
        #expect(try service.admin(.get, "models/\(id)").string("displayName") == "flowers")
    }

    @Test("The etag changes with every property, and with nothing else")
    func etag() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok())
        #expect(try service.upload(FakeProbe.ok("other"), name: "other").status == 200)
        var etags = [try #require(try service.admin(.get, "models/\(id)").string("etag"))]
        let changes = [
            #"{"displayName":"trees"}"#, #"{"tags":["t"]}"#, #"{"state":{"published":true}}"#,
            #"{"tfliteModel":{"gcsTfliteUri":"\#(service.uri("other"))"}}"#, #"{"state":{"published":false}}"#,
        ]
        for change in changes {
            for isFirst in [true, false] {
                let etag = try #require(try service.admin(.patch, "models/\(id)", change).string("response.etag"))
                if isFirst { etags.append(etag) }
                #expect(etag == etags.last)
            }
        }
        #expect(Set(etags).count == 6)
    }

    @Test("New bytes on a published model are released at once; broken ones are not")
    func newBytes() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        func deliveredHash() throws -> String? { try service.info("flowers").headers["ETag"] }
        #expect(try deliveredHash() == SHA256Hasher.hash(FakeProbe.ok("1").utf8).hex)

        #expect(try service.upload(FakeProbe.ok("2"), name: "flowers").status == 200)
        #expect(try deliveredHash() == SHA256Hasher.hash(FakeProbe.ok("1").utf8).hex, "an upload alone is nothing")
        let second = try setFile(id, "flowers")
        #expect(second["response.hearth.releasedVersion"] as? Int == 2)
        #expect(try deliveredHash() == SHA256Hasher.hash(FakeProbe.ok("2").utf8).hex)

        #expect(try service.upload(FakeProbe.malformed("3"), name: "flowers").status == 200)
        let third = try setFile(id, "flowers")
        #expect(third.string("response.state.validationError.message") == "Invalid flatbuffer format")
        #expect(third["response.state.published"] as? Bool == true)
        #expect(try deliveredHash() == SHA256Hasher.hash(FakeProbe.ok("2").utf8).hex)

        #expect(try service.upload(FakeProbe.unsupported("4"), name: "flowers").status == 200)
        #expect(try setFile(id, "flowers")["response.hearth.releasedVersion"] as? Int == 4)
    }

    @Test("A model without a good file cannot be published", arguments: [nil, FakeProbe.malformed(), "crash\n"])
    func publishUnverified(contents: String?) throws {
        let id = try service.makeModel("flowers", contents)
        try service.publish(id).expectFailedOperation(9, "Cannot publish a model that is not verified.")
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
    }

    @Test("Changing a model that is not there is a failed operation", arguments: ["1000099", "1", "00000000"])
    func missing(id: String) throws {
        let number = Int(id) ?? 0
        for isPublished in [true, false] {
            try service.publish(id, isPublished)
                .expectFailedOperation(5, "Model 'projects/project-a/models/\(number)' was not found")
        }
        try service.admin(.patch, "models/\(id)", #"{"displayName":"x"}"#)
            .expectFailedOperation(5, "Model 'projects/project-a/models/\(number)' was not found")
    }

    @Test("A taken name is a failed operation, one's own name is not")
    func rename() throws {
        try service.makeModel("flowers")
        let id = try service.makeModel("trees")
        try service.admin(.patch, "models/\(id)", #"{"displayName":"flowers"}"#)
            .expectFailedOperation(6, "Model 'flowers' already exists")
        #expect(try service.admin(.patch, "models/\(id)", #"{"displayName":"trees"}"#)["response"] != nil)
    }

    @Test("Get and delete of what is not there, and of what is no id")
    func missingAndMalformedIDs() throws {
        for id in ["1000099", "00000000"] {
            try service.admin(.get, "models/\(id)")
                .expectRefusal(404, "NOT_FOUND", "Requested entity was not found.")
            try service.admin(.delete, "models/\(id)")
                .expectRefusal(404, "NOT_FOUND", "Requested entity was not found.")
        }
        try service.makeModel("flowers")
        for id in ["flowers", "-1", "1.5", "0x10", "99999999999999999999", "%20", "1000001%2F"] {
            for answer in [
                try service.admin(.get, "models/\(id)"), try service.admin(.delete, "models/\(id)"),
                try service.admin(.patch, "models/\(id)", "{}"),
            ] {
                answer.expectRefusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
            }
        }
    }

    @Test("A deleted model is gone for tools and devices, its name is free, its id is not")
    func delete() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let answer = try service.admin(.delete, "models/\(id)")
        #expect(answer.status == 200 && answer.text == "{}")
        try service.admin(.get, "models/\(id)").expectRefusal(404, "NOT_FOUND")
        try service.admin(.delete, "models/\(id)").expectRefusal(404, "NOT_FOUND")
        try service.publish(id).expectFailedOperation(5, "Model 'projects/project-a/models/\(id)' was not found")
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
        #expect(try service.makeModel("flowers") != id)
    }

    @Test("Every change leaves an entry that says who, what and when")
    func audit() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        #expect(try service.publish(id).status == 200)
        #expect(try service.admin(.delete, "models/\(id)").status == 200)
        let entries = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 99) }
        #expect(
            entries.map(\.action) == [
                "model.delete", "model.publish", "version.create", "model.create", "file.upload",
            ])
        #expect(entries.allSatisfy { $0.actor == service.a.account.email })
        #expect(entries.dropLast().allSatisfy { $0.subject == "models/\(id)" })
        #expect(entries.allSatisfy { $0.atMicroseconds == TestClock.start.microseconds })
    }
}
