import COpenSSL
import Synchronization

/// Owns one `EVP_MD_CTX`: created in `init`, freed once in `deinit`.
///
/// Unchecked, but safe: a context is changed only by a `SHA256Hasher` that holds the one reference to it (it copies a
/// shared one first, as arrays do), by the `MD5Hasher` that made it and lends it to nobody, inside the one call that made it,
/// or by the one call that took it out of a pool; everyone else only copies it.
final class DigestContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// An empty context, as signing and verifying need it.
    init() {
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

    /// An independent copy of the state; this context stays as it is.
    func copy() -> DigestContext {
        let copy = DigestContext()
        guard EVP_MD_CTX_copy_ex(copy.pointer, pointer) == 1 else { CryptoError.stop("EVP_MD_CTX_copy_ex") }
        return copy
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}

/// Idle contexts of OpenSSL that are ready to be started anew, which is cheaper than to make one. There are as many as
/// threads ever worked at the same time.
final class ContextPool<Context: Sendable>: Sendable {
    private let idle = Mutex<[Context]>([])

    /// Calls `body` with a context that is nobody else's meanwhile; `make` makes it where none is idle.
    func withContext<Result>(or make: () -> Context, _ body: (Context) -> Result) -> Result {
        let context = idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}
