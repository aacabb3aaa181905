import Foundation
import HearthCrypto
import HearthHTTP
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: create and get") struct CreateTests {
    @Test("A name alone gives a model that waits for its file")
    func nameOnly() throws {
        let service = try TestService()
        let answer = try service.admin(.post, "models", #"{"displayName":"plain"}"#)
        #expect(answer.status == 200 && answer["done"] as? Bool == true && answer["error"] == nil)
        #expect(answer.string("response.name") == "projects/project-a/models/1000001")
        #expect(answer.string("response.displayName") == "plain")
        #expect(answer.string("response.state.validationError.message") == "No model file has been uploaded.")
        for absent in ["tags", "modelHash", "tfliteModel", "state.published", "activeOperations", "hearth"] {
            #expect(answer["response." + absent] == nil, "\(absent)")
        }
        #expect(answer.string("response.createTime") == "2027-01-15T08:00:00.000123Z")
        #expect(answer.string("response.updateTime") == "2027-01-15T08:00:00.000123Z")
        #expect(answer.string("response.etag")?.isEmpty == false)
    }

    /// As the Python and Node libraries sign them, an emulator's, and plain.
    static let links = [
        "https://storage.googleapis.com/OBJECT?X-Goog-Algorithm=GOOG4-RSA-SHA256"
            + "&X-Goog-Credential=a%40b.test%2F20270115%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20270115T080000Z"
            + "&X-Goog-Expires=600&X-Goog-SignedHeaders=host&X-Goog-Signature=00ff",
        "https://storage.googleapis.com/OBJECT?GoogleAccessId=a%40b.test"
            + "&Expires=1800000600&Signature=aa%2Fbb%3D%3D",
        "https://storage.googleapis.com/ENCODED?Expires=1",
        "http://127.0.0.1:9199/OBJECT?X-Goog-Expires=600",
        "gs://OBJECT",
    ]

    @Test("A file may be named in every form that tools send; gs:// comes back", arguments: links)
    func linkForms(link: String) throws {
        let service = try TestService()
        let contents = FakeProbe.ok()
        #expect(try service.upload(contents).status == 200)
        let object = service.uri().dropFirst("gs://".count)
        let encoded = "project-a.hearth/" + object.dropFirst("project-a.hearth/".count).replacing("/", with: "%2F")
        let link = link.replacing("OBJECT", with: object).replacing("ENCODED", with: encoded)
        let answer = try service.admin(
            .post, "models",
            #"{"displayName":"my_model","tags":["t1","t2"],"tfliteModel":{"gcsTfliteUri":"\#(link)"}}"#)
        #expect(answer.string("response.tfliteModel.gcsTfliteUri") == service.uri())
        #expect(answer.string("response.tfliteModel.sizeBytes") == "\(contents.utf8.count)", "a number in a string")
        #expect(answer.string("response.modelHash") == SHA256Hasher.hash(contents.utf8).hex)
        #expect(answer["response.tags"] as? [String] == ["t1", "t2"])
        #expect(answer["response.state"] == nil, "neither published nor invalid")
        #expect(answer["response.hearth.version"] as? Int == 1)
        #expect(answer["response.hearth.contract.inputs"] as? [[String: Any]] != nil)
    }

    @Test("Keys may be in snake case, and what only the server writes is ignored")
    func tolerantBody() throws {
        let service = try TestService()
        #expect(try service.upload(FakeProbe.ok()).status == 200)
        let answer = try service.admin(
            .post, "models",
            """
            {"display_name":"snake","tflite_model":{"gcs_tflite_uri":"\(service.uri())","size_bytes":"999"},"etag":"mine",
            "name":"projects/other/models/5","create_time":"1999-01-01T00:00:00Z","model_hash":"ff","unknown":{"x":[1]},
            "state":{"validation_error":{"code":9,"message":"mine"}}}
            """)
        #expect(answer.string("response.name") == "projects/project-a/models/1000001")
        #expect(answer.string("response.displayName") == "snake")
        #expect(answer.string("response.tfliteModel.sizeBytes") == "4")
        #expect(answer.string("response.createTime") == "2027-01-15T08:00:00.000123Z")
        #expect(answer["response.state"] == nil)
    }

    @Test("A malformed file makes a model that says so, without size and hash")
    func malformed() throws {
        let service = try TestService()
        let id = try service.makeModel("broken", FakeProbe.malformed())
        let model = try service.admin(.get, "models/\(id)")
        #expect(model.string("state.validationError.message") == "Invalid flatbuffer format")
        #expect(model.string("tfliteModel.gcsTfliteUri") == service.uri("broken"))
        #expect(model["tfliteModel.sizeBytes"] == nil && model["modelHash"] == nil)
        #expect(model.string("hearth.validationDetail") == "The file ends too early.")
    }

    @Test("A file that only this server cannot run has a warning, a hash and no error")
    func unsupported() throws {
        let service = try TestService()
        let id = try service.makeModel("odd", FakeProbe.unsupported())
        let model = try service.admin(.get, "models/\(id)")
        #expect(model.string("hearth.warning") == "No operator WHERE here.")
        #expect(model["state"] == nil && model["modelHash"] != nil && model["tfliteModel.sizeBytes"] != nil)
    }

    @Test("Get gives what create gave")
    func get() throws {
        let service = try TestService()
        let created = try service.admin(.post, "models", #"{"displayName":"plain","tags":["t"]}"#)
        let got = try service.admin(.get, "models/1000001")
        #expect(got.status == 200)
        #expect(NSDictionary(dictionary: got.object) == (created["response"] as? NSDictionary))
    }

    @Test("A taken name is a failed operation under HTTP 200")
    func duplicate() throws {
        let service = try TestService()
        try service.makeModel("flowers")
        try service.admin(.post, "models", #"{"displayName":"flowers"}"#)
            .expectFailedOperation(6, "Model 'flowers' already exists")
        let list = try service.admin(.get, "models")
        #expect((list["models"] as? [Any])?.count == 1)
    }

    @Test("Publishing what has no good file is a failed operation that leaves no model behind")
    func createPublishedWithoutFile() throws {
        let service = try TestService()
        try service.admin(.post, "models", #"{"displayName":"flowers","state":{"published":true}}"#)
            .expectFailedOperation(9, "Cannot publish a model that is not verified.")
        #expect(try service.admin(.get, "models").text == "{}")
    }

    @Test(
        "Bodies that are no model are refused",
        arguments: [
            "", "{", "[]", "null", "5", "\"text\"", "{\"displayName\":5}", "{\"tags\":\"t\"}", "{\"tags\":[5]}",
            "{\"state\":true}", "{\"state\":{\"published\":\"yes\"}}", "{\"tfliteModel\":[]}", "\u{0}",
            "{'displayName':'x'}",
            String(repeating: "[", count: 500_000), String(repeating: "{\"state\":", count: 50_000),
        ])
    func badBodies(body: String) throws {
        let service = try TestService()
        let message = "The body is not a model resource in JSON" + (JSONFault(in: body.utf8).map { ": \($0)." } ?? ".")
        try service.admin(.post, "models", body).expectRefusal(400, "INVALID_ARGUMENT", message)
        let id = try service.makeModel("flowers")
        try service.admin(.patch, "models/\(id)", body).expectRefusal(400, "INVALID_ARGUMENT", message)
    }

    @Test(
        "Names that no client could ask for are refused",
        arguments: ["", "my model", "a/b", "a:download", "mod\u{E9}l", String(repeating: "a", count: 33), "a\\u0000"])
    func badNames(name: String) throws {
        let service = try TestService()
        try service.admin(.post, "models", #"{"displayName":"\#(name)"}"#).expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try service.admin(.get, "models").text == "{}")
    }

    @Test("A model without a name, and one with a bad tag, are refused")
    func incomplete() throws {
        let service = try TestService()
        try service.admin(.post, "models", "{}")
            .expectRefusal(400, "INVALID_ARGUMENT", "A display name is required.")
        try service.admin(.post, "models", #"{"displayName":"x","tags":["not good"]}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test(
        "A file that is not ours is refused, and never fetched",
        arguments: [
            "", "gs://", "gs://project-a.hearth", "gs://project-a.hearth/", "gs://ab/x", "gs://UPPER/x",
            "s3://bucket/x",
            "https://storage.googleapis.com", "https://storage.googleapis.com/",
            "https://storage.googleapis.com/bucket",
            "file:///etc/passwd", "ftp://bucket/x", "http://[::1", "https://%zz/bucket/x", "javascript:alert(1)",
            "gs://bucket/a\\nb", "https://host/bucket/a%00b", "https://host/bucket/%ff%fe", "http://",
            "https://host/" + String(repeating: "a", count: 9000),
        ])
    func badLinks(link: String) throws {
        let service = try TestService()
        try service.admin(.post, "models", #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"\#(link)"}}"#)
            .expectRefusal(
                400, "INVALID_ARGUMENT", "gcsTfliteUri must be gs://bucket/object or a link to such an object.")
        #expect(try service.admin(.get, "models").text == "{}")
    }

    @Test("A file that was never uploaded is refused by name")
    func missingFile() throws {
        let service = try TestService()
        try service.admin(.post, "models", #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"gs://bucket/x"}}"#)
            .expectRefusal(
                400, "INVALID_ARGUMENT", "There is no uploaded file gs://bucket/x; upload it first.")
    }
}
