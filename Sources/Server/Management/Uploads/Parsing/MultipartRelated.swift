import Glibc
import HearthRouting
import HearthWire

/// Parses a `multipart/related` body while it arrives: a first part of JSON, which it keeps, and a second part of any
/// bytes, which it passes on. Storage tools send small files in this form.
///
/// A malformed body is refused as soon as that shows. Memory holds only the JSON and one header block.
struct MultipartRelated {
    /// The most bytes of headers that a part may have.
    static let headerBytes = 8192

    /// The first part, complete when the second has begun.
    private(set) var metadata: [UInt8] = []
    /// The `Content-Type` of the second part.
    private(set) var mediaType: String?

    /// What the next bytes belong to.
    private enum Phase {
        /// Inside the text before part 1 (`0`), part 1 or part 2.
        case content(part: Int)
        /// After a delimiter: the end of its line, or the two hyphens of the last delimiter.
        case lineEnd
        case headers
        /// After the last delimiter: all further bytes are ignored.
        case epilogue
    }

    private var phase = Phase.content(part: 0)
    /// The bytes so far of the present line end or header block.
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

    /// Parses the next bytes of the body; those of the second part go to `media`.
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

    /// Call it at the end of the body.
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

    /// A delimiter is followed by two hyphens, or by white space and a line break.
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

extension MultipartRelated {
    /// The parameter `boundary` of a `multipart/related` type (RFC 2046, 5.1.1): 1 to 70 characters of its alphabet,
    /// bare or quoted. Some tools use `=` in it, which needs the quotes.
    static func boundary(in contentType: String) -> [UInt8]? {
        var rest = Array(contentType.utf8)[...]
        guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")),
            trimmed(rest[..<semicolon]).lowercased() == "multipart/related"
        else { return nil }
        rest = rest[semicolon...]
        while let parameter = nextParameter(&rest) {
            guard parameter.name == "boundary" else { continue }
            let text = parameter.value
            guard (1...70).contains(text.count), text.last != 0x20, text.allSatisfy(isBoundaryByte) else { return nil }
            return text
        }
        return nil
    }

    /// Removes `; name=value` from the front; nil at the end, and if something else comes first.
    private static func nextParameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: [UInt8])? {
        guard rest.popFirst() == UInt8(ascii: ";"), let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        let name = trimmed(rest[..<equals]).lowercased()
        rest = rest[(equals + 1)...]
        if rest.first == UInt8(ascii: "\"") {
            rest.removeFirst()
            guard let value = quoted(&rest) else { return nil }
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            return (name, value)
        }
        let value = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[value.endIndex...]
        return (name, Array(trimmed(value).utf8))
    }

    /// The text up to the closing quote; a backslash quotes the next byte.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                value.append(next)
            default: value.append(byte)
            }
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return String(decoding: end.map { text[...$0] } ?? [], as: UTF8.self)
    }

    private static let boundaryBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)

    private static func isBoundaryByte(_ byte: UInt8) -> Bool { boundaryBytes.contains(byte) }
}

/// Finds the line break and boundary that end a part of a multipart body. The pieces of the body may be cut anywhere.
///
/// Bytes that may begin a delimiter are passed on only after more bytes have arrived. They need no storage, because
/// they equal the delimiter's own bytes.
struct DelimiterSearch {
    /// CR LF, two hyphens, the boundary. CR occurs only at its beginning, so a search continues after a failed match
    /// without going back.
    private let delimiter: [UInt8]
    private var matched: Int

    /// Starts as after a line break, because a boundary may be at the very beginning.
    init(boundary: [UInt8]) {
        delimiter = Array("\r\n--".utf8) + boundary
        matched = 2
    }

    /// Passes the bytes that surely belong to the part to `content`: in order, without copying, in slices as long as
    /// the pieces.
    ///
    /// - Returns: how many of the `bytes` were consumed, and whether the delimiter ends there. The search then starts
    ///   again after it.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer, content: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (taken: Int, isFound: Bool) {
        /// How much of the present match arrived in earlier pieces.
        var held = matched
        var position = 0
        while position < bytes.count {
            if matched == 0 {
                position += Self.lengthBeforeReturn(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                guard position < bytes.count else { break }
            }
            guard bytes[position] == delimiter[matched] else {
                try delimiter.withUnsafeBytes { try Self.pass($0[..<held], to: content) }
                (held, matched) = (0, 0)
                continue
            }
            matched += 1
            position += 1
            if matched == delimiter.count {
                matched = 0
                try Self.pass(bytes[..<max(0, position - delimiter.count)], to: content)
                return (position, true)
            }
        }
        try Self.pass(bytes[..<(bytes.count - (matched - held))], to: content)
        return (bytes.count, false)
    }

    private static func pass(
        _ bytes: Slice<UnsafeRawBufferPointer>, to content: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if !bytes.isEmpty { try content(UnsafeRawBufferPointer(rebasing: bytes)) }
    }

    private static func lengthBeforeReturn(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress, let found = memchr(start, 0x0D, bytes.count) else { return bytes.count }
        return UnsafeRawPointer(found) - start
    }
}
