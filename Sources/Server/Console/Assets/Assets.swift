import HearthCompression
import HearthCrypto
import HearthHTTP

/// The style sheet, the scripts and the icon, which are part of the program. Their addresses contain their hash, so that
/// browsers keep them until they change.
struct Assets: Sendable {
    private struct File: Sendable {
        let plain: Response
        let compressed: Response
    }

    /// The one copy of the process.
    static let shared = Assets(sources)

    /// By address, such as `page-0a1b2c3d.js`.
    private let files: [String: File]
    private let addresses: [String: String]

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    ]

    private static let sources: [(name: String, bytes: [UInt8])] = [
        ("style.css", PackageResources.style_css), ("icon.svg", PackageResources.icon_svg),
        ("page.js", PackageResources.page_js), ("share.js", PackageResources.share_js),
        ("images.js", PackageResources.images_js), ("zip.js", PackageResources.zip_js),
        ("storage.js", PackageResources.storage_js), ("sending.js", PackageResources.sending_js),
        ("creation.js", PackageResources.creation_js), ("upload.js", PackageResources.upload_js),
        ("making.js", PackageResources.making_js), ("processing.js", PackageResources.processing_js),
        ("try.js", PackageResources.try_js),
        ("sign-in.js", PackageResources.sign_in_js), ("config.js", PackageResources.config_js),
    ]

    /// - Parameter sources: by name. A script imports only scripts that stand before it.
    private init(_ sources: [(name: String, bytes: [UInt8])]) {
        var files: [String: File] = [:]
        var addresses: [String: String] = [:]
        for (name, bytes) in sources {
            var bytes = bytes
            let parts = name.split(separator: ".")
            if parts.last == "js" {
                var text = String(decoding: bytes, as: UTF8.self)
                for (known, address) in addresses { text = text.replacing("\"./\(known)\"", with: "\"./\(address)\"") }
                bytes = Array(text.utf8)
            }
            let hash = SHA256Hasher.hash(bytes).hex.prefix(16)
            let address = "\(parts[0])-\(hash).\(parts.last ?? "")"
            addresses[name] = address
            files[address] = Self.file(bytes, type: Self.types[String(parts.last ?? "")] ?? "")
        }
        self.files = files
        self.addresses = addresses
    }

    private static func file(_ bytes: [UInt8], type: String) -> File {
        var headers = AnswerFields.all
        headers["Content-Type"] = type
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
        headers["Vary"] = "Accept-Encoding"
        let plain = Response(status: 200, headers: headers, body: .bytes(bytes))
        headers["Content-Encoding"] = "gzip"
        let compressed = Response(status: 200, headers: headers, body: .bytes(Deflate.gzip(bytes)))
        return File(plain: plain.forManyRequests, compressed: compressed.forManyRequests)
    }

    /// The file's address below `console/assets/`.
    func address(of name: String) -> String { addresses[name] ?? name }

    /// The answer to a request for an address; nil if there is no such file.
    func answer(_ head: RequestHead, _ address: String) -> Response? {
        files[address].map { head.acceptedCodings.gzip ? $0.compressed : $0.plain }
    }
}
