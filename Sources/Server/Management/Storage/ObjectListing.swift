import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthWire

/// The objects of a bucket that one page of a list shows, ordered by the bytes of their names.
///
/// With a delimiter, all names that continue after the prefix and share the part up to the delimiter are shown as one
/// prefix, like the folders in `a/b/c`.
struct ObjectListing: Sendable {
    /// One page of a list.
    struct Page: Sendable {
        var objects: [UploadedObject] = []
        /// Each stands for several names.
        var prefixes: [String] = []
        /// Where the next page begins; nil on the last page.
        var nextToken: String?
    }

    static let mostItems = 1000

    var prefix = ""
    /// Empty for none.
    var delimiter = ""
    var size = mostItems
    /// The last name or prefix of the previous page; nil for the first page.
    var after: String?

    /// - Throws: 400 for malformed items, and for items that would change the list and are not supported.
    init(_ query: QueryItems) throws(APIError) {
        for name in ["matchGlob", "startOffset", "endOffset", "filter"] where query.first(name)?.isEmpty == false {
            let text = "Listing objects does not support '\(name)'; use 'prefix'."
            throw .invalid(name, text, message: text)
        }
        for name in ["softDeleted", "versions", "includeTrailingDelimiter", "includeFoldersAsPrefixes"] {
            let value = query.first(name)?.lowercased() ?? ""
            guard value.isEmpty || value == "false" else {
                let text =
                    "Listing objects does not support '\(name)': only the newest version of each object exists. Omit it."
                throw .invalid(name, text, message: text)
            }
        }
        prefix = query.first("prefix") ?? ""
        delimiter = query.first("delimiter") ?? ""
        if let wanted = try ObjectConditions.number("maxResults", query) {
            guard wanted > 0 else { throw .invalid("maxResults", "maxResults must be 1 or more.") }
            size = Int(min(wanted, Int64(Self.mostItems)))
        }
        if let token = query.first("pageToken"), !token.isEmpty {
            guard let bytes = Base64URL.decode(token) else {
                throw .invalid("pageToken", "This must be the nextPageToken of the page before.")
            }
            after = String(decoding: bytes, as: UTF8.self)
        }
    }

    init() {}

    func page(of objects: [UploadedObject]) -> Page {
        var page = Page()
        var last = after
        for object in objects.filter({ $0.name.hasBytes(prefix) }).sorted(by: { $0.name.isBefore($1.name) }) {
            let folder = folder(of: object.name)
            // Shown on a previous page, or just now as part of a folder.
            if let last, !last.isBefore(object.name) || folder == last { continue }
            guard page.objects.count + page.prefixes.count < size else {
                page.nextToken = last.map { Base64URL.encode(Array($0.utf8)) }
                break
            }
            if let folder { page.prefixes.append(folder) } else { page.objects.append(object) }
            last = folder ?? object.name
        }
        return page
    }

    private func folder(of name: String) -> String? {
        guard !delimiter.isEmpty else { return nil }
        let (bytes, mark) = (Array(name.utf8), Array(delimiter.utf8))
        var start = prefix.utf8.count
        while start + mark.count <= bytes.count {
            if bytes[start..<(start + mark.count)].elementsEqual(mark) {
                return String(decoding: bytes[..<(start + mark.count)], as: UTF8.self)
            }
            start += 1
        }
        return nil
    }
}

extension String {
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
    fileprivate func hasBytes(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}

/// A page in the form of Google's storage API.
struct StorageObjectList: Encodable {
    let kind = "storage#objects"
    let nextPageToken: String?
    let prefixes: [String]?
    let items: [StorageObject]?

    init(_ page: ObjectListing.Page) {
        nextPageToken = page.nextToken
        prefixes = page.prefixes.isEmpty ? nil : page.prefixes
        items = page.objects.isEmpty ? nil : page.objects.map(StorageObject.init)
    }
}
