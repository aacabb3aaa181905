import COpenSSL
import HearthConcurrency

/// Owns one `EVP_MD_CTX`: created in `init`, freed once in `deinit`.
///
/// `@unchecked Sendable`: only four callers change a context: a `SHA256Hasher` that holds the only reference to it (it
/// copies a shared one first, as arrays do), the `MD5Hasher` that made it and does not share it, the one call that made
/// it, or the one call that took it out of a pool. All other code only copies it.
final class DigestContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// An empty context, as signing and verifying need it.
    init() {
        CryptoLibrary.prepare()
        guard let context = EVP_MD_CTX_new() else { CryptoError.stop("EVP_MD_CTX_new") }
        pointer = context
    }

    /// A context that is ready to hash with SHA-256.
    static func sha256() -> DigestContext {
        let context = DigestContext()
        guard EVP_DigestInit_ex(context.pointer, EVP_sha256(), nil) == 1 else {
            CryptoError.stop("EVP_DigestInit_ex")
        }
        return context
    }

    /// An independent copy of the state. This context does not change.
    func copy() -> DigestContext {
        let copy = DigestContext()
        guard EVP_MD_CTX_copy_ex(copy.pointer, pointer) == 1 else { CryptoError.stop("EVP_MD_CTX_copy_ex") }
        return copy
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}

/// Idle contexts of OpenSSL for reuse, which is cheaper than creating one. There are as many as the largest number of
/// threads that ever worked at the same time.
final class ContextPool<Context: Sendable>: Sendable {
    private let idle = Lock<[Context]>([])

    /// Calls `body` with a context that no other caller uses meanwhile; `make` creates one if none is idle.
    func withContext<Result>(or make: () -> Context, _ body: (Context) -> Result) -> Result {
        let context = idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}
