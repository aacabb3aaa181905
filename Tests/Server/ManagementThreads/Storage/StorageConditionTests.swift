import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Google's storage interface: conditions") struct StorageConditionTests {
    private static let unmet = "At least one of the pre-conditions you specified did not hold."
    private static let uploads = "/upload/storage/v1/b/project-a.hearth/o?uploadType="
    private static let object = "/storage/v1/b/project-a.hearth/o/m.tflite"

    private func media(_ service: TestService, _ contents: String, _ query: String = "") throws -> TestResponse {
        try service.call(
            .post, Self.uploads + "media&name=m.tflite" + query, headers: try service.bearer(),
            body: Array(contents.utf8))
    }

    private func get(_ service: TestService, _ query: String = "") throws -> TestResponse {
        try service.call(.get, Self.object + query, headers: try service.bearer())
    }

    private func expectUnmet(_ answer: TestResponse) {
        answer.expectStorageRefusal(412, "conditionNotMet", Self.unmet)
        let item = (answer["error.errors"] as? [[String: Any]])?.first
        #expect(item?["location"] as? String == "If-Match" && item?["locationType"] as? String == "header")
    }

    @Test("Each upload makes a later generation, also within one moment")
    func generations() throws {
        let service = try TestService()
        var last: Int64 = 0
        for number in 1...4 {
            if number == 3 { service.time.advance(seconds: -5) }
            let answer = try media(service, FakeProbe.ok("\(number)"))
            let made = try #require(answer.string("generation").flatMap { Int64($0) })
            #expect(made > last)
            #expect(try get(service).string("generation") == "\(made)")
            last = made
        }
    }

    @Test("An upload that must not replace anything does not")
    func mustNotExist() throws {
        let service = try TestService()
        let (first, second) = (FakeProbe.ok("first"), FakeProbe.ok("second"))
        #expect(try media(service, first, "&ifGenerationMatch=0").status == 200)
        let refused = try media(service, second, "&ifGenerationMatch=0")
        expectUnmet(refused)
        #expect(refused.bodyBytesRead == 0, "the name is known before the body")
        expectUnmet(try service.multipart(second, name: "m.tflite", query: "&ifGenerationMatch=0"))
        expectUnmet(
            try service.beginResumable(#"{"name": "m.tflite"}"#, query: "&ifGenerationMatch=0"))
        #expect(try get(service, "?alt=media").text == first)
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(second.utf8)) == nil, "nothing is stored")
    }

    @Test("A resumable upload looks again when all its bytes are there")
    func resumable() throws {
        let service = try TestService()
        let (mine, theirs) = (FakeProbe.ok("mine"), FakeProbe.ok("theirs"))
        let begun = try service.beginResumable(#"{"name": "m.tflite"}"#, query: "&ifGenerationMatch=0")
        let address = try TestService.path(begun)
        #expect(try media(service, theirs).status == 200)
        expectUnmet(try service.put(address, mine.utf8))
        #expect(try get(service, "?alt=media").text == theirs)
        #expect(try service.put(address, mine.utf8).status == 404, "the upload is over")
        let generation = try #require(try get(service).string("generation"))
        let again = try TestService.path(
            service.beginResumable(#"{"name": "m.tflite"}"#, query: "&ifGenerationMatch=\(generation)"))
        #expect(try service.put(again, mine.utf8).status == 200)
        #expect(try get(service, "?alt=media").text == mine)
        let told = try service.put(again, [], range: "bytes */\(mine.utf8.count)")
        let present = try get(service).string("generation")
        #expect(told.string("generation") == present, "the same when asked again")
    }

    @Test("Of two uploads that must not replace anything, one wins, whichever looked first")
    func rivals() throws {
        let service = try TestService()
        let theirs = UploadedObject(
            projectID: "project-a", bucket: "bucket", name: "m", sha256: "theirs", sizeBytes: 1, crc32c: 2,
            createdMicroseconds: 3)
        var target = UploadTarget(projectID: "project-a", bucket: "bucket", name: "m", fileName: "m")
        target.conditions.generation = 0
        // The other one is recorded between the look and the record.
        let blob = RacingBlob(try service.services.blobs.begin(limitBytes: 100)) {
            try? service.services.metadata.write { try $0.put(theirs) }
        }
        let completion = UploadCompletion(
            services: service.services.base, metadata: service.services.metadata,
            validation: service.services.validation)
        let error = #expect(throws: APIError.self) {
            try completion.complete(blob, as: target, expecting: ExpectedChecksums(), by: "ann@example.test")
        }
        #expect(error?.httpStatus == 412)
        #expect(try service.services.metadata.read { try $0.objects(project: "project-a") } == [theirs])
    }

    @Test("Generations and metagenerations are compared, for uploads and for looks")
    func comparisons() throws {
        let service = try TestService()
        let generation = try #require(try media(service, FakeProbe.ok()).string("generation"))
        for query in [
            "ifGenerationMatch=\(generation)", "ifGenerationNotMatch=1", "ifMetagenerationMatch=1",
            "ifMetagenerationNotMatch=2", "generation=\(generation)",
        ] {
            for more in ["", "&alt=media"] { #expect(try get(service, "?" + query + more).status == 200, "\(query)") }
        }
        for query in ["ifGenerationMatch=1", "ifGenerationMatch=0", "ifMetagenerationMatch=2"] {
            expectUnmet(try get(service, "?" + query))
            expectUnmet(try get(service, "?alt=media&" + query))
            expectUnmet(try media(service, FakeProbe.ok("x"), "&" + query))
        }
        for query in ["ifGenerationNotMatch=\(generation)", "ifMetagenerationNotMatch=1"] {
            #expect(try get(service, "?alt=media&" + query).status == 304)
            expectUnmet(try media(service, FakeProbe.ok("x"), "&" + query))
        }
        try get(service, "?generation=1").expectStorageRefusal(404, "notFound")
        for query in ["ifGenerationMatch=x", "ifGenerationNotMatch=", "ifMetagenerationMatch=1.5", "generation=x"] {
            try get(service, "?" + query).expectStorageRefusal(400, "invalid")
        }
        try media(service, FakeProbe.ok("x"), "&ifGenerationMatch=x").expectStorageRefusal(400, "invalid")
    }
}

/// An upload that something happens before just as its bytes get to their place.
private final class RacingBlob: IncomingBlob {
    private let own: any IncomingBlob
    private let rival: () -> Void

    init(_ own: any IncomingBlob, rival: @escaping () -> Void) {
        self.own = own
        self.rival = rival
    }

    var size: UInt64 { own.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) { try own.write(bytes) }
    func seal() throws(StorageError) -> BlobChecksums { try own.seal() }
    func openForInspection() throws(StorageError) -> Int32 { try own.openForInspection() }

    func commit() throws(StorageError) {
        rival()
        try own.commit()
    }
}
