import Foundation
import HearthCatalog
import HearthWire

/// Which uploaded object a `gcsTfliteUri` means: `gs://bucket/object`, or a signed link to it as the SDKs send it.
///
/// The link is only taken apart. The server never follows it: it names an object in the server's own store.
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
