import HearthHTTP
import HearthWire

extension RequestHead {
    /// What `X-Upload-Content-Length` says at the beginning of a resumable upload; nil where it says nothing.
    func announcedUploadBytes() throws(APIError) -> UInt64? {
        guard let text = headers["X-Upload-Content-Length"] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = UInt64(text) else {
            throw APIError(.invalidArgument, "X-Upload-Content-Length must be a decimal number of bytes.")
        }
        return length
    }
}
