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
