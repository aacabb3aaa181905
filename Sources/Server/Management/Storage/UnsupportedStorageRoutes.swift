import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthWire

/// Calls of Google's storage API that other tools make and Hearth does not support. The refusal has the API's own form
/// and says what is missing. Its status is 405, because the tools repeat a call after 501 and similar ones.
struct UnsupportedStorageRoutes {
    /// A call that Hearth does not support.
    private struct Gap {
        var method: HTTPMethod
        var path: String
        /// "Hearth does not … ".
        var what: String
        /// The methods that the path supports.
        var allowed = ""
    }

    private let uploads: UploadService
    private let responder: UploadResponder

    init(_ uploads: UploadService, _ responder: UploadResponder) {
        self.uploads = uploads
        self.responder = responder
    }

    private static let bucket = "storage/v1/b/{bucket}"
    private static let object = "storage/v1/b/{bucket}/o/{object}"

    private static let gaps = [
        Gap(method: .get, path: "storage/v1/b", what: "list buckets"),
        Gap(method: .post, path: "storage/v1/b", what: "create buckets: use any valid name"),
        Gap(method: .delete, path: bucket, what: "remove buckets", allowed: "GET, HEAD"),
        Gap(method: .patch, path: bucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(method: .put, path: bucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(
            method: .patch, path: object, what: "change the metadata of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(
            method: .put, path: object, what: "change the metadata of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(method: .post, path: object + "/compose", what: "compose objects: upload the file whole"),
        Gap(
            method: .post, path: object + "/rewriteTo/b/{toBucket}/o/{toObject}",
            what: "copy objects: upload the file under the other name"),
        Gap(
            method: .post, path: object + "/copyTo/b/{toBucket}/o/{toObject}",
            what: "copy objects: upload the file under the other name"),
        Gap(method: .post, path: "batch/storage/v1", what: "accept batches of calls: send them one by one"),
    ]

    var routes: [Route] {
        Self.gaps.map { gap in
            Route(gap.method, gap.path) { head, _ in
                .answer(
                    responder.respond(head) {
                        _ = try uploads.context.storageCall(head, atLeast: .viewer)
                        let error = APIError(.unimplemented, "Hearth does not \(gap.what).", httpStatus: 405)
                        var response = responder.failure(head, error)
                        response.headers["Allow"] = gap.allowed
                        return response
                    })
            }
        }
    }

    /// The answer to calls of Google's XML API, which signed links and some uploads in parts use; nil for other calls.
    /// Its clients can read errors in XML only.
    static func answer(_ head: RequestHead) -> Response? {
        let marks = ["X-Goog-Signature", "GoogleAccessId", "uploads", "uploadId"]
        guard head.segments.count >= 2, marks.contains(where: { head.query.first($0) != nil }) else { return nil }
        let text = """
            <?xml version='1.0' encoding='UTF-8'?><Error><Code>NotImplemented</Code><Message>Hearth has no signed links to \
            objects and no uploads in parts by XML. Use the JSON interface with the account's token.</Message></Error>
            """
        return Response(
            status: 501, headers: ["Content-Type": "application/xml; charset=UTF-8"], body: .bytes(Array(text.utf8)))
    }
}
