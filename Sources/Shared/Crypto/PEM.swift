import COpenSSL

/// Moves text into and out of OpenSSL's memory buffers.
enum PEM {
    /// Passes `text` to `read`, which returns a key that the caller owns, or nil.
    static func readKey(
        _ text: String, expected: String, _ read: (OpaquePointer) -> OpaquePointer?
    ) throws(CryptoError) -> RSAKeyHandle {
        let bytes = Array(text.utf8)
        guard bytes.count <= RSAKeyHandle.pemLimitBytes else {
            throw CryptoError(
                .tooLarge, "the key text is longer than \(RSAKeyHandle.pemLimitBytes) bytes; give one PEM key")
        }
        CryptoLibrary.prepare()
        let key = bytes.withUnsafeBytes { buffer -> OpaquePointer? in
            // A BIO for an empty text would have no address to read from.
            guard let start = buffer.baseAddress, let bio = BIO_new_mem_buf(start, Int32(buffer.count)) else {
                return nil
            }
            defer { BIO_free(bio) }
            return read(bio)
        }
        guard let key else {
            throw .fromOpenSSL(.malformedKey, "the key is damaged, encrypted or not PEM; give \(expected)")
        }
        // A reader that tried several formats leaves its failed attempts in the queue.
        ERR_clear_error()
        return try RSAKeyHandle(takingOwnershipOf: key)
    }

    /// The text that `write` puts into a memory buffer. Writing fails only if memory is exhausted.
    static func text(_ write: (OpaquePointer) -> Int32) -> String {
        guard let bio = BIO_new(BIO_s_secmem()) else { CryptoError.stop("BIO_new") }
        defer { BIO_free(bio) }
        var start: UnsafeMutablePointer<CChar>?
        guard write(bio) == 1 else { CryptoError.stop("PEM_write_bio") }
        let length = hearth_bio_memory(bio, &start)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
