import HearthHTTP
import HearthManagement
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: etags, contract checks and what a refusal says") struct EtagTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok())
    }

    private func change(_ method: HTTPMethod, ifMatch: String, _ json: String = "") throws -> TestResponse {
        try service.call(
            method, "/v1beta2/projects/project-a/models/\(id)",
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))", "If-Match": ifMatch],
            body: Array(json.utf8))
    }

    @Test("A condition that does not hold any more is refused, and changes nothing")
    func staleCondition() throws {
        let etag = try #require(try service.admin(.get, "models/\(id)").string("etag"))
        for condition in [etag, "\"\(etag)\"", "W/x, \"\(etag)\"", "W/\"\(etag)\"", "\"\(etag)-gzip\"", "*"] {
            let answer = try change(.patch, ifMatch: condition, "{}")
            #expect(answer["done"] as? Bool == true, "\(condition)")
        }
        #expect(try change(.patch, ifMatch: etag, #"{"tags":["t"]}"#)["response.tags"] as? [String] == ["t"])
        for condition in [etag, "", "\"\"", "x"] {
            try change(.patch, ifMatch: condition, #"{"tags":["u"]}"#).expectRefusal(412, "FAILED_PRECONDITION")
            try change(.delete, ifMatch: condition).expectRefusal(412, "FAILED_PRECONDITION")
        }
        #expect(try service.admin(.get, "models/\(id)")["tags"] as? [String] == ["t"])
        #expect(try change(.delete, ifMatch: "*").text == "{}")
    }

    @Test("The etag in a body is no condition: tools send back what they once read")
    func bodyEtag() throws {
        let answer = try service.admin(.patch, "models/\(id)", #"{"etag":"1-999","tags":["t"]}"#)
        #expect(answer["response.tags"] as? [String] == ["t"])
    }

    @Test("The contract check can be set and read; its default is left out")
    func contractCheck() throws {
        func set(_ mask: String, _ json: String) throws -> TestResponse {
            try service.admin(.patch, "models/\(id)?updateMask=\(mask)", json)
        }
        #expect(try service.admin(.get, "models/\(id)")["hearth.contractCheck"] == nil)
        let refusing = #"{"hearth":{"contractCheck":"refuse"}}"#
        #expect(try set("hearth.contractCheck", refusing).string("response.hearth.contractCheck") == "refuse")
        #expect(try service.admin(.get, "models/\(id)").string("hearth.contractCheck") == "refuse")
        let other = try set("tags", refusing)
        #expect(other.string("response.hearth.contractCheck") == "refuse")
        #expect(try set("hearth.contract_check", "{}")["response.hearth.contractCheck"] == nil)
        #expect(try set("hearth", #"{"hearth":{"contract_check":"refuse"}}"#)["response.hearth.contractCheck"] != nil)
        let created = try service.admin(.post, "models", #"{"displayName":"x","hearth":{"contractCheck":"refuse"}}"#)
        #expect(created.string("response.hearth.contractCheck") == "refuse")
        let bad = try set("hearth.contractCheck", #"{"hearth":{"contractCheck":"forbid"}}"#)
        bad.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(violation(bad) == ["hearth.contractCheck", "This must be 'warn' or 'refuse'."])
    }

    private func violation(_ answer: TestResponse) -> [String?] {
        let detail = (answer["error.details"] as? [[String: Any]])?.first
        #expect(detail?["@type"] as? String == "type.googleapis.com/google.rpc.BadRequest")
        let violation = (detail?["fieldViolations"] as? [[String: Any]])?.first
        return [violation?["field"] as? String, violation?["description"] as? String]
    }

    @Test(
        "A refusal names the field and says what to do",
        arguments: [
            (#"{"displayName":5}"#, "displayName", "This must be a text."),
            (#"{"tags":"t"}"#, "tags", "This must be a list."),
            (#"{"tags":["a",5]}"#, "tags.1", "This must be a text."),
            (#"{"tags":[null]}"#, "tags.0", "This must be a text."),
            (#"{"state":true}"#, "state", "This must be an object."),
            (#"{"state":{"published":"yes"}}"#, "state.published", "This must be true or false."),
            (#"{"state":{"published":1}}"#, "state.published", "This must be true or false."),
            (#"{"tfliteModel":[]}"#, "tfliteModel", "This must be an object."),
            (#"{"tflite_model":{"gcs_tflite_uri":{}}}"#, "tfliteModel.gcsTfliteUri", "This must be a text."),
            (#"{"hearth":"refuse"}"#, "hearth", "This must be an object."),
        ])
    func wrongTypes(body: String, field: String, text: String) throws {
        for answer in [
            try service.admin(.patch, "models/\(id)", body), try service.admin(.post, "models", body),
        ] {
            answer.expectRefusal(400, "INVALID_ARGUMENT", "The body is not a model resource in JSON.")
            #expect(violation(answer) == [field, text])
        }
    }

    @Test("What only the server writes is ignored, whatever type it has")
    func ignoredTypes() throws {
        let answer = try service.admin(
            .patch, "models/\(id)",
            """
            {"tags":["t"],"name":5,"createTime":[],"etag":{},"modelHash":1e999,"activeOperations":"x",
            "state":{"validationError":7},"tfliteModel":{"sizeBytes":12},"hearth":{"version":"one"},"unknown":[[]]}
            """)
        #expect(answer["response.tags"] as? [String] == ["t"])
    }

    @Test("A mask or a page that is refused says why")
    func queries() throws {
        let mask = try service.admin(.patch, "models/\(id)?updateMask=tags,bogus", "{}")
        mask.expectRefusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
        #expect(violation(mask)[0] == "updateMask" && violation(mask)[1]?.contains("'bogus'") == true)
        #expect(violation(try service.admin(.get, "models?page_size=x"))[0] == "pageSize")
        #expect(violation(try service.admin(.get, "models?page_token=x"))[0] == "pageToken")
        #expect(violation(try service.admin(.get, "models?filter=x%3D1"))[0] == "filter")
        #expect(violation(try service.admin(.get, "models/flowers"))[0] == "name")
    }

    @Test("A page token stays good when models on either side of it are deleted")
    func tokensAndDeletions() throws {
        let ids = [id] + (try (1...4).map { try service.makeModel("m\($0)") })
        let first = try service.admin(.get, "models?page_size=2")
        let token = try #require(first.string("nextPageToken"))
        for gone in [ids[1], ids[2]] { #expect(try service.admin(.delete, "models/\(gone)").status == 200) }
        let second = try service.admin(.get, "models?page_size=2&page_token=\(token)")
        let names = (second["models"] as? [[String: Any]] ?? []).compactMap { $0["displayName"] as? String }
        #expect(names == ["m3", "m4"] && second["nextPageToken"] == nil)
    }

    @Test("Google's system query items change nothing, on every call")
    func systemItems() throws {
        let items =
            "$.xgafv=2&access_token=x&alt=json&callback=f&fields=name&key=k&oauth_token=t&prettyPrint=false"
            + "&quotaUser=me&uploadType=media&upload_protocol=raw"
        #expect(try service.admin(.get, "models/\(id)?\(items)").string("displayName") == "flowers")
        #expect(try service.admin(.get, "operations/\(id)-1?\(items)")["done"] as? Bool == true)
        let patched = try service.admin(.patch, "models/\(id)?\(items)&updateMask=tags", #"{"tags":["t"]}"#)
        #expect(patched["response.tags"] as? [String] == ["t"])
        #expect(try service.admin(.post, "models?\(items)", #"{"displayName":"x"}"#)["done"] as? Bool == true)
        #expect(try service.admin(.delete, "models/\(id)?\(items)").text == "{}")
    }
}
