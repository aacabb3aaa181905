import HearthHTTP
import HearthManagement
import HearthRouting
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: list") struct ListTests {
    private static let names = ["experimental_cat", "experimental_dog", "my_model", "plain-1"]

    private func makeService() throws -> TestService {
        let service = try TestService()
        try service.makeModel(Self.names[0], FakeProbe.ok(), isPublished: true, tags: ["t1", "face_detector"])
        try service.makeModel(Self.names[1], tags: ["t1"])
        try service.makeModel(Self.names[2], FakeProbe.ok(), isPublished: true, tags: ["tag_1"])
        try service.makeModel(Self.names[3])
        try service.makeModel("elsewhere", as: service.b)
        return service
    }

    private func names(_ answer: TestResponse) -> [String] {
        (answer["models"] as? [[String: Any]] ?? []).compactMap { $0["displayName"] as? String }
    }

    @Test("Without arguments, everything of the project, each model whole")
    func everything() throws {
        let service = try makeService()
        let answer = try service.admin(.get, "models")
        #expect(names(answer) == Self.names && answer["nextPageToken"] == nil)
        let model = try #require((answer["models"] as? [[String: Any]])?.first)
        #expect(model["name"] as? String == "projects/project-a/models/1000001")
        for field in ["createTime", "updateTime", "etag", "modelHash", "tfliteModel", "state"] {
            #expect(model[field] != nil, "\(field)")
        }
    }

    @Test("An empty list is an empty object")
    func empty() throws {
        let answer = try TestService().admin(.get, "models")
        #expect(answer.status == 200 && answer.text == "{}")
        #expect(try makeService().admin(.get, "models?filter=tags:none").text == "{}")
    }

    @Test(
        "Filters, as the SDKs encode them",
        arguments: [
            ("displayName+%3D+my_model", [2]), ("displayName%20%3D%20my_model", [2]), ("display_name=my_model", [2]),
            ("displayName+%3A+experimental_%2A", [0, 1]), ("tags%3A+face_detector", [0]), ("tags:%27tag_1%27", [2]),
            ("state.published+%3D+true", [0, 2]), ("tags:t1+AND+state.published=true", [0]),
            ("displayName=my_model+OR+tags:t1", [0, 1, 2]), ("", [0, 1, 2, 3]),
        ])
    func filters(filter: String, expected: [Int]) throws {
        let answer = try makeService().admin(.get, "models?filter=\(filter)")
        #expect(names(answer) == expected.map { Self.names[$0] })
    }

    @Test(
        "A filter that is none is refused with the known text alone, and with what a filter is in the details",
        arguments: ["InvalidFilterParam%3D123", "%27", "%20"])
    func badFilter(filter: String) throws {
        let answer = try TestService().admin(.get, "models?filter=\(filter)")
        answer.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(answer.string("error.message") == "Request contains an invalid argument.")
        let detail = (answer["error.details"] as? [[String: Any]])?.first
        #expect(detail?["@type"] as? String == "type.googleapis.com/google.rpc.BadRequest")
        let violation = (detail?["fieldViolations"] as? [[String: Any]])?.first
        #expect(violation?["field"] as? String == "filter")
        #expect((violation?["description"] as? String)?.hasPrefix("A filter has terms such as displayName = x") == true)
    }

    @Test("Pages of every size end in the same list")
    func pages() throws {
        let service = try makeService()
        for (size, token) in [("page_size", "page_token"), ("pageSize", "pageToken")] {
            for count in 1...5 {
                var found: [String] = []
                var next: String? = ""
                while let page = next {
                    let answer = try service.admin(.get, "models?\(size)=\(count)&\(token)=\(page)")
                    #expect(names(answer).count <= count)
                    found += names(answer)
                    next = answer.string("nextPageToken")
                }
                #expect(found == Self.names, "pages of \(count)")
            }
        }
    }

    @Test("A filtered page is full as long as there is enough")
    func filteredPages() throws {
        let service = try makeService()
        let first = try service.admin(.get, "models?filter=state.published=true&page_size=1")
        #expect(names(first) == [Self.names[0]])
        let token = try #require(first.string("nextPageToken"))
        let second = try service.admin(.get, "models?filter=state.published=true&page_size=1&page_token=\(token)")
        #expect(names(second) == [Self.names[2]] && second["nextPageToken"] == nil)
    }

    @Test("A page has at most as many models as the server allows")
    func pageLimit() throws {
        let service = try TestService { $0.limits.pageSize = 3 }
        for number in 1...4 { try service.makeModel("model-\(number)") }
        for query in ["", "?page_size=0", "?page_size=3", "?page_size=4", "?page_size=100000", "?page_size="] {
            let answer = try service.admin(.get, "models" + query)
            #expect(names(answer).count == 3 && answer["nextPageToken"] != nil, "\(query)")
        }
    }

    @Test(
        "Page arguments that make no sense are refused",
        arguments: [
            "page_size=-1", "page_size=x", "page_size=1.5", "page_size=99999999999999999999", "page_token=x",
            "page_token=-1", "page_token=99999999999999999999", "pageSize=%20",
        ])
    func badPages(query: String) throws {
        try TestService().admin(.get, "models?\(query)")
            .expectRefusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
    }

    @Test("Google's own query items are accepted and ignored")
    func systemItems() throws {
        let answer = try makeService().admin(.get, "models?alt=json&prettyPrint=false&key=x&fields=models&quotaUser=me")
        #expect(names(answer) == Self.names)
    }
}
