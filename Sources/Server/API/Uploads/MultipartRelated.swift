import HearthWire

/// Takes a `multipart/related` body apart while it arrives: a first part of JSON, kept, and a second part of any bytes,
/// handed on. The form in which storage tools send small files.
///
/// Whatever is malformed is refused as soon as it shows; nothing but the JSON and one header block is held in memory.
struct MultipartRelated {
    /// The most bytes of headers that a part may have.
    static let headerBytes = 8192

    /// The first part, complete once the second has begun.
    private(set) var metadata: [UInt8] = []
    /// The `Content-Type` of the second part.
    private(set) var mediaType: String?

    private enum Phase {
        /// Inside the text before part 1 (`0`), part 1 or part 2.
        case content(part: Int)
        /// Behind a delimiter: the end of its line, or the two hyphens of the last one.
        case lineEnd
        case headers
        /// Behind the last delimiter: whatever comes is ignored.
        case epilogue
    }

    private var phase = Phase.content(part: 0)
    /// What came of the line end or header block that is under way.
    private var held: [UInt8] = []
    private var part = 0
    private var search: DelimiterSearch
    private let metadataLimitBytes: Int

    /// - Parameter contentType: the request's `Content-Type`; the boundary may be quoted.
    init(contentType: String, metadataLimitBytes: Int) throws(APIError) {
        guard let boundary = Self.boundary(in: contentType) else {
            throw APIError(
                .invalidArgument, "A multipart upload needs 'Content-Type: multipart/related; boundary=...'.")
        }
        search = DelimiterSearch(boundary: boundary)
        self.metadataLimitBytes = metadataLimitBytes
    }

    /// Takes the next bytes of the body; those of the second part go to `media`.
    mutating func consume(
        _ bytes: UnsafeRawBufferPointer, media: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            switch phase {
            case .content(let part):
                let (taken, isFound) = try scan(rest, part, media)
                if isFound { expect(.lineEnd) }
                rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            case .lineEnd:
                held.append(rest[0])
                try readLineEnd()
                rest = UnsafeRawBufferPointer(rebasing: rest[1...])
            case .headers:
                held.append(rest[0])
                try readHeaders()
                rest = UnsafeRawBufferPointer(rebasing: rest[1...])
            case .epilogue:
                return
            }
        }
    }

    /// The body is over.
    func finish() throws(APIError) {
        guard case .epilogue = phase else {
            throw Self.malformed("it ends before its closing boundary")
        }
    }

    private mutating func expect(_ next: Phase) {
        phase = next
        held.removeAll(keepingCapacity: true)
    }

    private mutating func scan(
        _ bytes: UnsafeRawBufferPointer, _ part: Int, _ media: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (taken: Int, isFound: Bool) {
        switch part {
        case 0: return try search.scan(bytes) { _ in }
        case 1:
            var found: [UInt8] = []
            let result = try search.scan(bytes) { found += $0 }
            guard metadata.count + found.count <= metadataLimitBytes else {
                throw APIError(
                    .invalidArgument, "The JSON part of the upload is larger than \(metadataLimitBytes) bytes.",
                    httpStatus: 413)
            }
            metadata += found
            return result
        default: return try search.scan(bytes, content: media)
        }
    }

    /// Behind a delimiter stand two hyphens, or white space and a line break.
    private mutating func readLineEnd() throws(APIError) {
        if held.elementsEqual("--".utf8) {
            guard part == 2 else { throw Self.malformed("it needs a part of JSON and a part with the file") }
            expect(.epilogue)
        } else if held.suffix(2).elementsEqual("\r\n".utf8) {
            guard part < 2 else { throw Self.malformed("it has more than two parts") }
            part += 1
            expect(.headers)
        } else {
            let isBlank = held.dropLast().allSatisfy { $0 == 0x20 || $0 == 0x09 }
            let mayGoOn = isBlank && [0x20, 0x09, 0x0D].contains(held.last) || held.elementsEqual("-".utf8)
            guard mayGoOn, held.count < 128 else { throw Self.malformed("a boundary does not end its line") }
        }
    }

    private mutating func readHeaders() throws(APIError) {
        guard held.count <= Self.headerBytes else { throw Self.malformed("the headers of a part are too long") }
        guard held.elementsEqual("\r\n".utf8) || held.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
        let type = Self.contentType(in: held)
        if part == 1 {
            let essence = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            guard essence == nil || essence == "application/json" else {
                throw Self.malformed("its first part must be application/json")
            }
        } else {
            mediaType = type
        }
        expect(.content(part: part))
    }

    private static func contentType(in block: [UInt8]) -> String? {
        for line in String(decoding: block, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "content-type" else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    private static func malformed(_ reason: String) -> APIError {
        APIError(.invalidArgument, "The multipart upload is malformed: \(reason).")
    }
}
