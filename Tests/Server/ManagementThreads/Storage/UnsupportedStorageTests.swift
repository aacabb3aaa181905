import HearthHTTP
import HearthManagement
import Testing

@testable import HearthManagementTestSupport

@Suite("Google's storage interface: what is not offered") struct UnsupportedStorageTests {
    @Test(
        "Other calls are refused with what is not offered, in a way that tools do not try again",
        arguments: [
            (HTTPMethod.get, "/storage/v1/b?project=p", "list buckets", nil),
            (.post, "/storage/v1/b?project=p", "create buckets", nil),
            (.patch, "/storage/v1/b/bucket/o/a%2Fb", "change the metadata of an object", "DELETE, GET, HEAD"),
            (.post, "/storage/v1/b/bucket/o/a%2Fb/rewriteTo/b/bucket/o/c%2Fd", "copy objects", nil),
            (.post, "/storage/v1/b/bucket/o/a/compose", "compose objects", nil),
            (.delete, "/storage/v1/b/bucket", "remove buckets", "GET, HEAD"),
            (.post, "/batch/storage/v1", "accept batches of calls", nil),
        ] as [(HTTPMethod, String, String, String?)])
    func gaps(method: HTTPMethod, target: String, what: String, allowed: String?) throws {
        let service = try TestService()
        let answer = try service.call(method, target, headers: try service.bearer())
        answer.expectStorageRefusal(405, "methodNotAllowed")
        #expect(answer.string("error.message")?.hasPrefix("Hearth does not \(what)") == true)
        if let allowed { #expect(answer.headers["Allow"] == allowed) }
        try service.call(method, target).expectStorageRefusal(401, "authError")
    }

    @Test("Signed links and uploads by XML are refused in XML, and other unknown paths as ever")
    func xml() throws {
        let service = try TestService()
        for (method, target) in [
            (HTTPMethod.get, "/bucket/a/b.bin?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=ab"),
            (.get, "/bucket/a?GoogleAccessId=x&Signature=y&Expires=1"), (.post, "/bucket/a?uploads"),
            (.put, "/bucket/a?partNumber=1&uploadId=x"),
        ] {
            let answer = try service.call(method, target)
            #expect(answer.status == 501 && answer.headers["Content-Type"]?.hasPrefix("application/xml") == true)
            #expect(answer.text.contains("<Code>NotImplemented</Code>"))
        }
        try service.call(.get, "/bucket/a").expectRefusal(404, "NOT_FOUND")
    }
}
