import Foundation
import HearthCatalog
import HearthRouting
import HearthStorage
import HearthWire

/// The upload that a call names by `gs://bucket/object`, or by a link to it.
enum UploadedFile {
    /// The object, and the validation of its bytes.
    static func find(
        _ uri: String, in project: String, _ store: any MetadataReader
    ) throws -> (object: UploadedObject, validation: Validation) {
        let (bucket, name) = try FileReference.object(uri)
        guard let object = try store.object(bucket: bucket, name: name, project: project) else {
            throw APIError(.invalidArgument, "There is no uploaded file gs://\(bucket)/\(name); upload it first.")
        }
        guard let validation = try store.validation(sha256: object.sha256) else {
            throw StorageError(.corrupt, "The validation result of \(object.uri) is missing")
        }
        return (object, validation)
    }
}

/// The uploaded object that a `gcsTfliteUri` names: `gs://bucket/object`, or a signed link to it as the SDKs send it.
///
/// The server parses the link and never follows it: the link names an object in the server's own store.
enum FileReference {
    static func object(_ uri: String) throws(APIError) -> (bucket: String, name: String) {
        let canonical: String
        if uri.hasPrefix("gs://") {
            canonical = uri
        } else if uri.hasPrefix("https://") || uri.hasPrefix("http://"), uri.utf8.count <= 8192,
            let path = URLComponents(string: uri)?.path
        {
            canonical = "gs:/" + path
        } else {
            throw APIError(.invalidArgument, "gcsTfliteUri must be gs://bucket/object or a link to such an object.")
        }
        guard let object = Names.gcsObject(canonical) else {
            throw APIError(.invalidArgument, "gcsTfliteUri must be gs://bucket/object or a link to such an object.")
        }
        return object
    }
}
