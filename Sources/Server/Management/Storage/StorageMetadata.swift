import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthWire

/// What an uploader says about an object, in JSON. Fields that Hearth does not store are refused if they would change
/// what readers of the object see. Fields that only the server sets, such as sizes and times, are ignored.
struct StorageMetadata: Sendable {
    var name: String?
    var contentType: String?
    private var crc32c: String?
    private var md5: String?
    private var cacheControl: String?
    private var contentDisposition: String?
    private var contentLanguage: String?
    private var own: [String: String?]?
    /// The fields that ask for something Hearth does not support.
    private var refused: [String] = []

    init() {}

    /// - Throws: 400 if the bytes are not a JSON object, or ask for something that Hearth does not store.
    init(json: [UInt8]) throws(APIError) {
        guard !json.isEmpty else { return }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw APIError(
                .invalidArgument, "The description of the file is not an object resource in JSON.", cause: error)
        }
        if let field = refused.first { throw Self.notKept(field) }
        try checkSizes()
        if let text = cacheControl, !UploadTarget.isPlain(text) {
            throw APIError(.invalidArgument, "cacheControl must be 1 to 255 characters of visible ASCII.")
        }
    }

    /// For all names and values of `metadata` together, as in Google's API. A list shows up to a thousand objects with
    /// theirs.
    private static let metadataLimitBytes = 8192
    private static let fieldLimitBytes = 1024

    private func checkSizes() throws(APIError) {
        let size = (details.metadata ?? [:]).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= Self.metadataLimitBytes else {
            let text = """
                The names and values of an object's metadata may have \(Self.metadataLimitBytes) bytes together; these have \
                \(size).
                """
            throw .invalid("metadata", text, message: text)
        }
        for (name, value) in [("contentDisposition", contentDisposition), ("contentLanguage", contentLanguage)] {
            let size = value?.utf8.count ?? 0
            guard size <= Self.fieldLimitBytes else {
                let text = "\(name) may have \(Self.fieldLimitBytes) bytes; this one has \(size)."
                throw .invalid(name, text, message: text)
            }
        }
    }

    /// Query items of uploads that ask for something Hearth does not do.
    private static let refusedItems = ["predefinedAcl", "kmsKeyName", "contentEncoding"]

    /// - Throws: 400 if the query asks for something that Hearth does not store.
    static func check(_ query: QueryItems) throws(APIError) {
        for name in refusedItems where query.first(name)?.isEmpty == false { throw notKept(name) }
    }

    private static func notKept(_ name: String) -> APIError {
        let text = "Hearth does not store '\(name)' with objects; omit it."
        return .invalid(name, text, message: text)
    }

    /// What is stored with the object.
    var details: ObjectDetails {
        let own = own?.compactMapValues { $0 } ?? [:]
        return ObjectDetails(
            cacheControl: cacheControl, contentDisposition: contentDisposition, contentLanguage: contentLanguage,
            metadata: own.isEmpty ? nil : own)
    }

    /// The checksums of this description, and those of the header `x-goog-hash`.
    func expected(_ head: RequestHead) throws(APIError) -> ExpectedChecksums {
        var expected = ExpectedChecksums()
        for text in [crc32c].compactMap({ $0 }) + Self.headerChecksums("crc32c=", head) {
            guard let checksum = CRC32C(base64: text), expected.crc32c ?? checksum == checksum else {
                throw APIError(.invalidArgument, "The crc32c '\(text)' is malformed, or contradicts another one.")
            }
            expected.crc32c = checksum
        }
        for text in [md5].compactMap({ $0 }) + Self.headerChecksums("md5=", head) {
            guard let digest = MD5Digest(base64: text), expected.md5 ?? digest == digest else {
                throw APIError(.invalidArgument, "The MD5 '\(text)' is malformed, or contradicts another one.")
            }
            expected.md5 = digest
        }
        return expected
    }

    private static func headerChecksums(_ prefix: String, _ head: RequestHead) -> [String] {
        // Two steps: the compiler needed five seconds for a single chain.
        let sums = head.headers.values("x-goog-hash").flatMap { $0.split(separator: ",") }
        return sums.compactMap { sum in
            let sum = sum.drop { $0 == " " }
            return sum.hasPrefix(prefix) ? String(sum.dropFirst(prefix.count)) : nil
        }
    }
}

extension StorageMetadata: Decodable {
    private enum Key: String, CodingKey {
        case name, contentType, crc32c, md5Hash, cacheControl, contentDisposition, contentLanguage, metadata
    }

    /// Fields of Google's API that ask for something Hearth does not do.
    private enum RefusedKey: String, CodingKey, CaseIterable {
        case acl, contentEncoding, contexts, customTime, eventBasedHold, kmsKeyName, retention, storageClass
        case temporaryHold
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        contentType = try values.decodeIfPresent(String.self, forKey: .contentType)
        crc32c = try values.decodeIfPresent(String.self, forKey: .crc32c)
        md5 = try values.decodeIfPresent(String.self, forKey: .md5Hash)
        cacheControl = try values.decodeIfPresent(String.self, forKey: .cacheControl)
        contentDisposition = try values.decodeIfPresent(String.self, forKey: .contentDisposition)
        contentLanguage = try values.decodeIfPresent(String.self, forKey: .contentLanguage)
        own = try values.decodeIfPresent([String: String?].self, forKey: .metadata)
        let others = try decoder.container(keyedBy: RefusedKey.self)
        refused = RefusedKey.allCases.filter { others.contains($0) && !Self.asksForNothing(others, $0) }.map(\.rawValue)
    }

    /// Whether the value asks for what Hearth does in any case.
    private static func asksForNothing(_ values: KeyedDecodingContainer<RefusedKey>, _ key: RefusedKey) -> Bool {
        if (try? values.decodeNil(forKey: key)) == true { return true }
        if let text = try? values.decode(String.self, forKey: key) {
            return text.isEmpty || (key == .storageClass && text == "STANDARD")
        }
        return (try? values.decode(Bool.self, forKey: key)) == false
    }
}
