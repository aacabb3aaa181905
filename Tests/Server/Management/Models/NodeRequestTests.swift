import HearthHTTP
import HearthWire
import Testing

@testable import HearthManagementTestSupport

/// The requests that the Node admin SDK makes, replayed; the SDK itself is not run.
@Suite("Requests of the Node SDK") struct NodeRequestTests {
    private static let models = "/v1beta2/projects/project-a/models"
    private static let object = "project-a.hearth/Firebase/ML/Models/m.tflite"

    private let service: TestService

    init() throws { service = try TestService() }

    /// With the header fields that the SDK sends.
    private func call(_ method: HTTPMethod, _ target: String, _ json: String? = nil) throws -> TestResponse {
        var headers = try service.bearer()
        headers["X-Firebase-Client"] = "fire-admin-node/13.6.0"
        headers["X-Goog-Api-Client"] = "gl-node/22.0.0 fire-admin/13.6.0"
        headers["Accept"] = "application/json, text/plain, */*"
        if json != nil { headers["Content-Type"] = "application/json;charset=utf-8" }
        return try service.call(method, target, headers: headers, body: Array((json ?? "").utf8))
    }

    /// The storage package signs in the second version by default.
    private var link: String {
        "https://storage.googleapis.com/\(Self.object)?GoogleAccessId=a%40project-a.iam.gserviceaccount.com"
            + "&Expires=1800000600&Signature=Zm9v%2BYmFy%2Fw%3D%3D"
    }

    @discardableResult
    private func create(_ name: String, tags: String = "[]") throws -> String {
        let answer = try call(
            .post, Self.models,
            #"{"displayName":"\#(name)","tags":\#(tags),"tfliteModel":{"gcsTfliteUri":"\#(link)"}}"#)
        #expect(answer["done"] as? Bool == true, "\(answer.text)")
        return try #require(answer.string("response.name")?.split(separator: "/").last.map(String.init))
    }

    @Test("A resumable upload, which its storage package makes in one PUT, becomes a model by a signed link")
    func upload() throws {
        let contents = FakeProbe.ok("node")
        let begun = try service.call(
            .post,
            "/upload/storage/v1/b/project-a.hearth/o?name=Firebase%2FML%2FModels%2Fm.tflite&uploadType=resumable",
            headers: try service.bearer().merging([
                "Content-Type": "application/json", "X-Upload-Content-Type": "application/octet-stream",
                "Host": "127.0.0.1:8080",
            ]), body: Array(#"{"contentType":"application/octet-stream"}"#.utf8))
        let address = try TestService.path(begun)
        // Of a stream the length is not known before its end.
        let answer = try service.put(address, contents.utf8, range: "bytes 0-*/*", announces: false)
        #expect(answer.string("name") == "Firebase/ML/Models/m.tflite" && answer.string("size") != nil)

        let id = try create("flowers")
        let model = try call(.get, "\(Self.models)/\(id)")
        for field in ["name", "createTime", "updateTime", "displayName", "etag", "modelHash"] {
            #expect(model.string(field)?.isEmpty == false, "the SDK insists on \(field)")
        }
        #expect(model.string("tfliteModel.gcsTfliteUri") == "gs://\(Self.object)")
        #expect(model["state.validationError"] == nil)
    }

    @Test("Masks name the fields of the call, in every form that it makes")
    func masks() throws {
        #expect(try service.multipart(FakeProbe.ok()).status == 200)
        let id = try create("flowers", tags: #"["a"]"#)
        let path = "\(Self.models)/\(id)"
        let renamed = try call(
            .patch, path + "?updateMask=displayName,tags", #"{"displayName":"roses","tags":["b","c"]}"#)
        #expect(renamed.string("response.displayName") == "roses")
        #expect(renamed["response.tags"] as? [String] == ["b", "c"])
        let published = try call(.patch, path + "?updateMask=state.published", #"{"state":{"published":true}}"#)
        #expect(published["response.state.published"] as? Bool == true, "without a name in the body")

        #expect(try service.multipart(FakeProbe.ok("second")).status == 200)
        let file = #"{"tfliteModel":{"gcsTfliteUri":"\#(link)"}}"#
        let changed = try call(.patch, path + "?updateMask=tfliteModel.gcsTfliteUri", file)
        #expect(changed["response.hearth.version"] as? Int == 2)
        #expect(changed.string("response.displayName") == "roses")
        let escaped = try call(
            .patch, path + "?updateMask=displayName%2Ctags%2CtfliteModel.gcsTfliteUri",
            #"{"displayName":"lilies","tags":[],"tfliteModel":{"gcsTfliteUri":"\#(link)"}}"#)
        #expect(escaped.string("response.displayName") == "lilies" && escaped["response.tags"] == nil)
        #expect(escaped["response.hearth.version"] as? Int == 2, "the same file is no new version")
        let unpublished = try call(.patch, path + "?updateMask=state.published", #"{"state":{"published":false}}"#)
        #expect(unpublished["response.state.published"] == nil)
    }

    @Test("Lists take their options in camel case")
    func lists() throws {
        for name in ["a", "b", "c"] { _ = try call(.post, Self.models, #"{"displayName":"\#(name)"}"#) }
        let first = try call(.get, Self.models + "?pageSize=2")
        #expect((first["models"] as? [Any])?.count == 2)
        let token = try #require(first.string("nextPageToken"))
        let second = try call(.get, Self.models + "?pageSize=2&pageToken=\(token)")
        #expect((second["models"] as? [Any])?.count == 1 && second["nextPageToken"] == nil)
        let filtered = try call(.get, Self.models + "?filter=displayName%3Db")
        #expect((filtered["models"] as? [[String: Any]])?.first?["displayName"] as? String == "b")
        #expect(try call(.get, Self.models + "?filter=tags:none").text == "{}")
        try call(.get, Self.models + "?filter=InvalidFilterParam%3D123").expectRefusal(
            400, "INVALID_ARGUMENT")
    }

    @Test("Refusals are the ones that the SDK names")
    func refusals() throws {
        _ = try call(.post, Self.models, #"{"displayName":"a"}"#)
        try call(.post, Self.models, #"{"displayName":"a"}"#).expectFailedOperation(6, "Model 'a' already exists")
        try call(.patch, Self.models + "/99?updateMask=state.published", #"{"state":{"published":true}}"#)
            .expectFailedOperation(5, "Model 'projects/project-a/models/99' was not found")
        try call(.get, Self.models + "/00000000").expectRefusal(
            404, "NOT_FOUND", "Requested entity was not found.")
        try call(.get, Self.models + "/not-a-number").expectRefusal(400, "INVALID_ARGUMENT")
        try call(.delete, Self.models + "/99").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A link decides nothing but the object's name, wherever it points")
    func links() throws {
        #expect(try service.multipart(FakeProbe.ok()).status == 200)
        for (number, host) in ["169.254.169.254", "localhost:22", "[::1]:9", "evil.example", "user:pass@x"].enumerated()
        {
            let answer = try call(
                .post, Self.models,
                #"{"displayName":"m\#(number)","tfliteModel":{"gcsTfliteUri":"http://\#(host)/\#(Self.object)?x=1"}}"#)
            #expect(answer.string("response.tfliteModel.gcsTfliteUri") == "gs://\(Self.object)", "\(answer.text)")
        }
        for path in ["latest/meta-data", "project-a.hearth/../../etc/passwd", "project-b.hearth/Firebase/x"] {
            try call(
                .post, Self.models,
                #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"http://169.254.169.254/\#(path)"}}"#
            ).expectRefusal(400, "INVALID_ARGUMENT")
        }
    }
}

extension HTTPHeaders {
    fileprivate func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var all = self
        for field in other { all[field.name] = field.value }
        return all
    }
}
