import Foundation
import HearthCrypto
import HearthTestSupport
import Testing

@Suite("RSA keys and signatures") struct RSATests {
    let message = Array("the model of the day".utf8)

    @Test("What a key signs, its public half verifies, also after both went through PEM")
    func roundTrip() throws {
        let key = try RSAPrivateKey(pem: try SampleKeys.first().pem)
        let signature = try key.signSHA256(message)
        let reread = try RSAPublicKey(pem: key.publicKey.pem)
        #expect(signature.count == 256)
        #expect(reread.isValidSHA256(signature: signature, for: message))
        #expect(try SampleKeys.first().signSHA256(message) == signature)
    }

    @Test("PEM texts are PKCS#8 and SubjectPublicKeyInfo")
    func pemForms() throws {
        let key = try SampleKeys.first()
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(key.publicKey.pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        #expect(try RSAPublicKey(pem: SampleKeys.rfc7515).pem == SampleKeys.rfc7515)
    }

    @Test("A changed message, changed signature or other key does not verify")
    func wrongSignatures() throws {
        let key = try SampleKeys.first()
        let signature = try key.signSHA256(message)
        for index in stride(from: 0, to: signature.count, by: 15) {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!key.publicKey.isValidSHA256(signature: changed, for: message))
        }
        #expect(!key.publicKey.isValidSHA256(signature: signature, for: message + [0]))
        #expect(!key.publicKey.isValidSHA256(signature: [], for: message))
        #expect(!key.publicKey.isValidSHA256(signature: signature + [0], for: message))
        #expect(!key.publicKey.isValidSHA256(signature: [UInt8](repeating: 0xff, count: 256), for: message))
        #expect(!(try SampleKeys.second().publicKey.isValidSHA256(signature: signature, for: message)))
        #expect(key.publicKey.isValidSHA256(signature: signature, for: message), "earlier failures leave no trace")
    }

    @Test("openssl verifies our signature", .enabled(if: OpenSSLTool.isPresent, "the openssl program is absent"))
    func opensslVerifiesOurs() throws {
        let folder = try TemporaryFolder()
        let key = try SampleKeys.first()
        let data = try folder.write(message, to: "message")
        let signature = try folder.write(try key.signSHA256(message), to: "signature")
        let pem = try folder.write(key.publicKey.pem.utf8, to: "key.pem")
        #expect(try OpenSSLTool.run("dgst", "-sha256", "-verify", pem, "-signature", signature, data).contains("OK"))
    }

    @Test("We read openssl's key and verify its signature", .enabled(if: OpenSSLTool.isPresent, "openssl is absent"))
    func weVerifyOpenSSL() throws {
        let folder = try TemporaryFolder()
        let pem = folder.path + "/key.pem"
        let signature = folder.path + "/signature"
        let data = try folder.write(message, to: "message")
        try OpenSSLTool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", pem)
        try OpenSSLTool.run("dgst", "-sha256", "-sign", pem, "-out", signature, data)
        let key = try RSAPrivateKey(pem: try String(contentsOfFile: pem, encoding: .utf8))
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: signature)))
        #expect(key.publicKey.isValidSHA256(signature: bytes, for: message))
        #expect(try key.signSHA256(message) == bytes)
    }

    @Test(
        "Texts that are no key are refused with advice",
        arguments: ["", "not a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "\0\0"])
    func malformedKeys(text: String) {
        let error = #expect(throws: CryptoError.self) { try RSAPrivateKey(pem: text) }
        #expect(error?.code == .malformedKey)
        #expect(error?.message.contains("PKCS#8") == true)
        #expect(throws: CryptoError.self) { try RSAPublicKey(pem: text) }
    }

    @Test("A truncated key is refused wherever it ends")
    func truncatedKey() throws {
        let pem = try SampleKeys.first().pem
        for length in stride(from: 0, to: pem.count - 30, by: 97) {
            #expect(throws: CryptoError.self) { try RSAPrivateKey(pem: String(pem.prefix(length))) }
        }
    }

    @Test("A private key is not a public one, nor the reverse")
    func swappedKinds() throws {
        let key = try SampleKeys.first()
        #expect(throws: CryptoError.self) { try RSAPrivateKey(pem: key.publicKey.pem) }
        #expect(throws: CryptoError.self) { try RSAPublicKey(pem: key.pem) }
    }

    @Test("A text beyond the limit is refused before it is parsed")
    func oversizeKey() throws {
        let pem = try SampleKeys.first().pem
        let padding = 16_384 - pem.utf8.count
        _ = try RSAPrivateKey(pem: pem + String(repeating: "\n", count: padding))
        let error = #expect(throws: CryptoError.self) {
            try RSAPrivateKey(pem: pem + String(repeating: "\n", count: padding + 1))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("Encrypted, elliptic and short keys are refused", .enabled(if: OpenSSLTool.isPresent, "openssl is absent"))
    func unsupportedKeys() throws {
        let folder = try TemporaryFolder()
        func key(_ name: String, _ arguments: [String]) throws -> CryptoError.Code? {
            let path = folder.path + "/" + name
            try OpenSSLTool.run(arguments: ["genpkey", "-out", path] + arguments)
            let pem = try String(contentsOfFile: path, encoding: .utf8)
            return #expect(throws: CryptoError.self) { try RSAPrivateKey(pem: pem) }?.code
        }
        let rsa = ["-algorithm", "RSA", "-pkeyopt"]
        #expect(
            try key("encrypted", rsa + ["rsa_keygen_bits:2048", "-aes256", "-pass", "pass:secret"]) == .malformedKey)
        #expect(try key("elliptic", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]) == .unsupportedKey)
        #expect(try key("short", rsa + ["rsa_keygen_bits:1024"]) == .unsupportedKey)
        #expect(try key("pss", ["-algorithm", "RSA-PSS"]) == .unsupportedKey)
    }

    @Test("Key sizes outside 2048 to 8192 bits are not made", arguments: [Int.min, 0, 2047, 8193, Int.max])
    func generatedSizes(bits: Int) {
        let error = #expect(throws: CryptoError.self) { try RSAPrivateKey.generate(bits: bits) }
        #expect(error?.code == .unsupportedKey)
    }

    @Test("Many threads share one key")
    func sharedKey() async throws {
        let key = try SampleKeys.first()
        let expected = try key.signSHA256(message)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let signature = try key.signSHA256(message)
                    return signature == expected && key.publicKey.isValidSHA256(signature: signature, for: message)
                }
            }
            for try await isRight in group {
                #expect(isRight)
            }
        }
    }
}

/// The `openssl` program as an independent oracle.
enum OpenSSLTool {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    static let path = "/usr/bin/openssl"

    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs `openssl` and returns what it printed.
    @discardableResult
    static func run(_ arguments: String...) throws -> String {
        try run(arguments: arguments)
    }

    @discardableResult
    static func run(arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments, output: output) }
        return output
    }
}
