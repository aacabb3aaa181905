import HearthHTTP
import HearthRouting
import HearthWire

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
