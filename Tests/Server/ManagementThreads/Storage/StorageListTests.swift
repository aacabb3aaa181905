import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Google's storage interface: lists and removal") struct StorageListTests {
    private static let path = "/storage/v1/b/project-a.hearth/o"

    private func list(_ service: TestService, _ query: String = "", as start: NewProject? = nil) throws -> TestResponse
    {
        try service.call(.get, Self.path + query, headers: try service.bearer(start))
    }

    private func names(_ answer: TestResponse) -> [String] {
        (answer["items"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    private func delete(_ service: TestService, _ name: String, _ query: String = "") throws -> TestResponse {
        try service.call(.delete, Self.path + "/\(name)" + query, headers: try service.bearer())
    }

    @Test("A bucket's objects are listed in order, by prefix and page by page")
    func list() throws {
        let service = try TestService()
        let all = ["B", "a/1", "a/2", "a/b/3", "b", "é"]
        for name in all.reversed() { #expect(try service.multipart(FakeProbe.ok(name), name: name).status == 200) }
        #expect(try service.multipart(FakeProbe.ok(), name: "other", bucket: "elsewhere").status == 200)
        let answer = try list(service)
        #expect(answer.string("kind") == "storage#objects" && names(answer) == all && answer["nextPageToken"] == nil)
        #expect(names(try list(service, "?prefix=a%2F&projection=noAcl&prettyPrint=false")) == ["a/1", "a/2", "a/b/3"])
        let folders = try list(service, "?delimiter=%2F")
        #expect(names(folders) == ["B", "b", "é"] && folders["prefixes"] as? [String] == ["a/"])
        let inner = try list(service, "?delimiter=%2F&prefix=a%2F")
        #expect(names(inner) == ["a/1", "a/2"] && inner["prefixes"] as? [String] == ["a/b/"])
        #expect(names(try list(service, as: service.b)).isEmpty, "another project's bucket of that name is its own")
        for (query, expected) in [("", all), ("&delimiter=%2F", ["B", "a/", "b", "é"])] {
            for size in 1...all.count + 1 {
                var found: [String] = []
                var token: String? = ""
                // Bounded, should a page ever lead to itself.
                while let present = token, found.count <= all.count {
                    let page = try list(service, "?maxResults=\(size)&pageToken=\(present)" + query)
                    let folders = page["prefixes"] as? [String] ?? []
                    #expect(names(page).count + folders.count <= size)
                    found += (names(page) + folders).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                    token = page.string("nextPageToken")
                }
                #expect(found == expected, "pages of \(size)")
            }
        }
    }

    @Test("A page has no more than it may have, at n and n + 1")
    func mostItems() throws {
        let objects = (0...ObjectListing.mostItems).map { number in
            UploadedObject(
                projectID: "p", bucket: "b", name: "\(1_000_000 + number)", sha256: "", sizeBytes: 0, crc32c: 0,
                createdMicroseconds: 0)
        }
        #expect(ObjectListing().page(of: Array(objects.dropLast())).nextToken == nil)
        let page = ObjectListing().page(of: objects)
        #expect(page.objects.count == ObjectListing.mostItems && page.nextToken != nil)
    }

    @Test(
        "Questions that are none, or not offered, are refused",
        arguments: [
            "maxResults=0", "maxResults=x", "pageToken=*", "matchGlob=**", "startOffset=a",
            "softDeleted=true", "versions=true", "includeTrailingDelimiter=True", "softDeleted=x",
        ])
    func refused(query: String) throws {
        try list(try TestService(), "?" + query).expectStorageRefusal(400, "invalid")
    }

    @Test("What a list asks for by saying no to it changes nothing")
    func refusedOtherwise() throws {
        let query = "?softDeleted=false&versions=false&includeTrailingDelimiter="
        #expect(try list(try TestService(), query).status == 200)
    }

    @Test("Lists take turns, and where no more of a project's may wait, the refusal has Google's form")
    func turns() throws {
        let service = try TestService { $0.limits.waitingReadsPerProject = 0 }
        let answer = try list(service)
        #expect(answer.status == 503 && answer["error.errors"] != nil, "\(answer.text)")
        #expect(answer.headers["Retry-After"] != nil)
        #expect(try service.multipart(FakeProbe.ok(), name: "m").status == 200, "uploads wait for none")
    }

    @Test("An object that no version was made from can be removed")
    func delete() throws {
        let service = try TestService()
        let generation = try #require(try service.multipart(FakeProbe.ok(), name: "m").string("generation"))
        try delete(service, "m", "?ifGenerationMatch=1").expectStorageRefusal(412, "conditionNotMet")
        try delete(service, "m", "?generation=1").expectStorageRefusal(404, "notFound")
        let answer = try delete(service, "m", "?generation=\(generation)")
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(names(try list(service)).isEmpty)
        try delete(service, "m").expectStorageRefusal(404, "notFound", "No such object: project-a.hearth/m")
        let audit = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 1) }
        #expect(audit.first?.action == "file.delete" && audit.first?.subject == "gs://project-a.hearth/m")
    }

    @Test("An object that a version was made from stays")
    func used() throws {
        let service = try TestService()
        #expect(try service.multipart(FakeProbe.ok(), name: "m").status == 200)
        let model = try service.admin(
            .post, "models", #"{"displayName":"m","tfliteModel":{"gcsTfliteUri":"gs://project-a.hearth/m"}}"#)
        #expect(model.status == 200)
        try delete(service, "m").expectStorageRefusal(
            409, "conflict",
            "A version of a model was made from gs://project-a.hearth/m, which keeps it: delete the model first.")
        #expect(names(try list(service)) == ["m"])
        let id = try #require(model.string("response.name")?.split(separator: "/").last)
        #expect(try service.admin(.delete, "models/\(id)").status == 200)
        #expect(try delete(service, "m").status == 204)
    }
}
