/// Where all data of a server is: in a folder, or in a database and a store that several servers share.
package enum DataPlace: Sendable {
    case folder(String)
    case shared(SharedPlace)

    package var name: String {
        switch self {
        case .folder(let path): path
        case .shared(let place): place.name
        }
    }

    /// - Parameters:
    ///   - text: a folder, or the URL of a PostgreSQL database.
    ///   - blobs: the URL of the store that belongs to a database.
    ///   - environment: has the keys of the store.
    /// - Throws: if the two do not fit, or a URL cannot be read.
    package init(_ text: String, blobs: String?, environment: [String: String]) throws(BackupError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            guard blobs == nil else {
                throw BackupError(
                    .notFound, "A store for model files goes with a PostgreSQL database, and \(text) is a folder.")
            }
            self = .folder(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
            return
        }
        guard let blobs else {
            throw BackupError(
                .notFound, "The model files of a PostgreSQL database are in a store: also give its s3://… address.")
        }
        self = .shared(try SharedPlace(database: text, blobs: blobs, environment: environment))
    }
}
