import HearthCatalog
import HearthStorage
import HearthWire

/// What a call means by `gs://bucket/object`, or by a link to it.
enum UploadedFile {
    /// The object and what is known about its bytes.
    static func find(
        _ uri: String, in project: String, _ store: any MetadataReader
    ) throws -> (object: UploadedObject, validation: Validation) {
        let (bucket, name) = try FileReference.object(uri)
        guard let object = try store.object(bucket: bucket, name: name, project: project) else {
            throw APIError(.invalidArgument, "There is no uploaded file gs://\(bucket)/\(name); upload it first.")
        }
        guard let validation = try store.validation(sha256: object.sha256) else {
            throw StorageError(.corrupt, "There is no verdict on the file \(object.uri)")
        }
        return (object, validation)
    }
}
