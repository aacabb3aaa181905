import HearthCatalog
import HearthHTTP
import HearthWire

/// What other tools ask of Google's storage interface and do not get here: refused in its own form with what is missing,
/// and with 405, which they do not try again as they do with 501 and the like.
struct UnsupportedStorageRoutes {
    private struct Gap {
        var method: HTTPMethod
        var path: String
        /// "Hearth does not … ".
        var what: String
        /// What the path is good for.
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
        Gap(method: .post, path: "storage/v1/b", what: "make buckets: any valid name will do without"),
        Gap(method: .delete, path: bucket, what: "remove buckets", allowed: "GET, HEAD"),
        Gap(method: .patch, path: bucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(method: .put, path: bucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(
            method: .patch, path: object, what: "change what is said of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(
            method: .put, path: object, what: "change what is said of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(method: .post, path: object + "/compose", what: "put objects together: upload the file whole"),
        Gap(
            method: .post, path: object + "/rewriteTo/b/{toBucket}/o/{toObject}",
            what: "copy objects: upload the file under the other name"),
        Gap(
            method: .post, path: object + "/copyTo/b/{toBucket}/o/{toObject}",
            what: "copy objects: upload the file under the other name"),
        Gap(method: .post, path: "batch/storage/v1", what: "take several calls in one: make them one by one"),
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

    /// The answer to calls of Google's interface in XML, which signed links and some uploads in parts use; nil for other calls.
    /// Its clients read errors in XML only.
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
