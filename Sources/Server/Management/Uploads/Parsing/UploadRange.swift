import HearthHTTP
import HearthRouting
import HearthWire

/// The `Content-Range` of an upload: which bytes of the file the body contains, or a request for the upload's progress.
enum UploadRange: Hashable, Sendable {
    /// Bytes `first` to `last`, both included; `total` is nil while the caller does not know it yet.
    case bytes(first: UInt64, last: UInt64, total: UInt64?)
    /// `bytes FIRST-*/TOTAL` or `bytes FIRST-*/*`: all the rest of the file, as the Node SDK sends a stream.
    case rest(first: UInt64, total: UInt64?)
    /// `bytes */total` or `bytes */*`: no bytes.
    case status(total: UInt64?)

    /// Nil if the text is malformed, or names bytes that no file of `total` bytes has.
    init?(_ header: String) {
        let words = header.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" {
            self = .status(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]) else { return nil }
        if ends[1] == "*" {
            guard first <= total ?? .max else { return nil }
            self = .rest(first: first, total: total)
            return
        }
        guard let last = Self.number(ends[1]), first <= last, last < total ?? .max else { return nil }
        self = .bytes(first: first, last: last, total: total)
    }

    /// The length of the whole file, if the caller knows it.
    var total: UInt64? {
        switch self {
        case .bytes(_, _, let total), .rest(_, let total), .status(let total): total
        }
    }

    /// Digits only: no sign, no space, and no number that does not fit.
    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

/// What a PUT to a resumable upload means, given the progress of the upload. A pure decision.
enum UploadStep: Hashable, Sendable {
    /// The caller asks for the progress.
    case report
    /// All bytes have arrived.
    case complete(total: UInt64)
    /// The body's first `skipped` bytes arrived before; the others continue the file. `length` is the length that the
    /// body must have, and `total` that of the whole file; nil if unknown.
    case append(skipped: UInt64, length: UInt64?, total: UInt64?)

    /// How many bytes are still missing, as far as known.
    func remainingBytes(received: UInt64) -> UInt64 {
        guard case .append(let skipped, let length, let total) = self else { return 0 }
        guard let total else { return length.map { $0 - skipped } ?? 0 }
        return total - min(received, total)
    }

    /// - Parameters:
    ///   - range: the `Content-Range`; nil if there is none, and the body is the whole file.
    ///   - contentLength: the length of the body, if it was announced.
    ///   - received: durable bytes of earlier requests.
    ///   - announced: the file's length from an earlier request.
    /// - Throws: 400 for what contradicts itself or earlier requests, or would leave a gap; 413 beyond `limitBytes`.
    static func decide(
        range: UploadRange?, contentLength: UInt64?, received: UInt64, announced: UInt64?, limitBytes: UInt64
    ) throws(APIError) -> UploadStep {
        // A bare PUT without a body asks for the progress. It is not an empty file.
        let range = range ?? (contentLength == 0 ? .status(total: nil) : .rest(first: 0, total: contentLength))
        if let told = range.total, let announced, told != announced {
            throw APIError(.invalidArgument, "The file was declared as \(announced) bytes, not \(told).")
        }
        let total = range.total ?? announced
        if let total { try check(total, received, limitBytes) }
        switch range {
        case .status:
            guard contentLength ?? 0 == 0 else {
                throw APIError(.invalidArgument, "A request for the upload's progress must not have a body.")
            }
            return total == received ? .complete(total: received) : .report
        case .rest(let first, _):
            guard let total else {
                // If the body's length is not known either, the end of the body is the end of the file.
                return try append(first, contentLength, contentLength.map { first &+ $0 }, received, limitBytes)
            }
            guard first <= total else { throw beyond(total) }
            guard contentLength ?? (total - first) == total - first else { throw wrongLength(total - first) }
            return try append(first, total - first, total, received, limitBytes)
        case .bytes(let first, let last, _):
            guard last < total ?? .max else { throw beyond(total ?? 0) }
            let length = last - first + 1
            guard contentLength ?? length == length else { throw wrongLength(length) }
            return try append(first, length, total, received, limitBytes)
        }
    }

    private static func append(
        _ first: UInt64, _ length: UInt64?, _ total: UInt64?, _ received: UInt64, _ limitBytes: UInt64
    ) throws(APIError) -> UploadStep {
        guard first <= limitBytes, length ?? 0 <= limitBytes - first else { throw tooLarge(limitBytes) }
        guard first <= received else {
            throw APIError(
                .invalidArgument, "Starting at byte \(first) would leave a gap; continue at byte \(received).")
        }
        return .append(skipped: min(received - first, length ?? .max), length: length, total: total)
    }

    private static func beyond(_ total: UInt64) -> APIError {
        APIError(.invalidArgument, "The bytes are beyond the end of the file, which has \(total) bytes.")
    }

    private static func wrongLength(_ length: UInt64) -> APIError {
        APIError(.invalidArgument, "Content-Range names \(length) bytes, but Content-Length says otherwise.")
    }

    private static func check(_ total: UInt64, _ received: UInt64, _ limitBytes: UInt64) throws(APIError) {
        guard total <= limitBytes else { throw tooLarge(limitBytes) }
        guard received <= total else {
            throw APIError(
                .invalidArgument, "\(received) bytes were already received, more than the declared total of \(total).")
        }
    }

    private static func tooLarge(_ limitBytes: UInt64) -> APIError {
        APIError(.invalidArgument, "The file is larger than \(limitBytes) bytes.", httpStatus: 413)
    }
}

extension RequestHead {
    /// The value of `X-Upload-Content-Length` at the beginning of a resumable upload; nil if it is missing.
    func announcedUploadBytes() throws(APIError) -> UInt64? {
        guard let text = headers["X-Upload-Content-Length"] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = UInt64(text) else {
            throw APIError(.invalidArgument, "X-Upload-Content-Length must be a decimal number of bytes.")
        }
        return length
    }
}
