import Foundation
import HearthCrypto
import Testing

/// What a thread meets that still works while the process ends. Handlers of `exit` run in the reverse order of their
/// registration, so one that is registered before OpenSSL is set up runs after OpenSSL's own.
@Suite("OpenSSL while the process ends")
struct CryptoLibraryTests {
    @Test("Random bytes, digests and tags can still be made")
    func worksDuringExit() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit {
                let random = SecureRandom.bytes(16)
                let isRight = SHA256Hasher.hash("abc".utf8).hex.hasPrefix("ba7816bf")
                let tag = HMACSHA256(key: random).tag(for: random)
                _exit(isRight && tag.count == HMACSHA256.tagByteCount ? 7 : 1)
            }
            _ = SecureRandom.bytes(16)
            exit(1)
        }
    }
}
