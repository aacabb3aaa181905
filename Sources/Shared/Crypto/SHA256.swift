import COpenSSL

/// Computes SHA-256 over bytes that arrive in pieces. Memory use does not depend on their number.
///
/// A value type: a copy continues independently of the original, and `finalize()` may be called at any time. Failures
/// of the underlying calls (memory exhausted, OpenSSL without its default provider) stop the process.
///
/// Wraps `EVP_DigestInit_ex`, `EVP_DigestUpdate` and `EVP_DigestFinal_ex`.
package struct SHA256Hasher: Sendable {
    private var context = DigestContext.sha256()

    package init() {}

    /// Adds `bytes`, which are only read during the call.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        if !isKnownUniquelyReferenced(&context) {
            context = context.copy()
        }
        guard EVP_DigestUpdate(context.pointer, start, bytes.count) == 1 else {
            CryptoError.stop("EVP_DigestUpdate")
        }
    }

    /// Adds `bytes`; contiguous collections such as `[UInt8]` and `Data` are not copied.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil {
            Array(bytes).withUnsafeBytes { update($0) }
        }
    }

    /// The digest of all bytes so far. The hasher itself is unchanged and can take more.
    package func finalize() -> SHA256Digest {
        let final = context.copy()
        var bytes = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        guard EVP_DigestFinal_ex(final.pointer, &bytes, nil) == 1, let digest = SHA256Digest(bytes: bytes) else {
            CryptoError.stop("EVP_DigestFinal_ex")
        }
        return digest
    }

    /// The digest of `bytes` in one call.
    package static func hash(_ bytes: some Sequence<UInt8>) -> SHA256Digest {
        let digest = bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
        return digest ?? Array(bytes).withUnsafeBytes { hash($0) }
    }

    /// The digest of `bytes`, which are only read during the call.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        let digest = contexts.withContext(or: DigestContext.init) { context in
            SHA256Digest(
                bytes: [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) { result, count in
                    guard EVP_DigestInit_ex(context.pointer, algorithm.pointer, nil) == 1,
                        EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count) == 1,
                        EVP_DigestFinal_ex(context.pointer, result.baseAddress, nil) == 1
                    else { CryptoError.stop("EVP_Digest") }
                    count = SHA256Digest.byteCount
                })
        }
        guard let digest else { CryptoError.stop("EVP_DigestFinal_ex") }
        return digest
    }

    private static let algorithm = DigestAlgorithm()
    private static let contexts = ContextPool<DigestContext>()
}

/// SHA-256 from OpenSSL's provider. It is fetched once, because fetching it costs more than hashing a short text.
///
/// `@unchecked Sendable`: an `EVP_MD` never changes, and this one is never freed.
private final class DigestAlgorithm: @unchecked Sendable {
    let pointer: OpaquePointer

    init() {
        CryptoLibrary.prepare()
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { CryptoError.stop("EVP_MD_fetch") }
        pointer = algorithm
    }
}
