import Foundation
import HearthFiles
import HearthIdentity
import HearthTestSupport
import Testing

@Suite("The server's secret") struct ServerSecretTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/secret" }

    init() throws { folder = try TemporaryFolder() }

    private func signature(_ secret: ServerSecret) -> String {
        LinkSigner(secret: secret).signature(path: "/x", expires: 1)
    }

    @Test("It is 32 bytes that only the owner may read, and stays the same")
    func file() throws {
        let first = signature(try ServerSecret(path: path))
        #expect(signature(try ServerSecret(path: path)) == first)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 32)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["secret"])
    }

    @Test("Two servers have two secrets")
    func different() throws {
        #expect(signature(try ServerSecret(path: path)) != signature(try ServerSecret(path: path + "2")))
    }

    @Test("A file of another length is damage, and is not replaced", arguments: [0, 1, 31, 33, 1024, 1025, 5000])
    func damaged(count: Int) throws {
        let bytes = [UInt8](repeating: 0x41, count: count)
        let path = try folder.write(bytes, to: "secret")
        let error = #expect(throws: FileError.self) { try ServerSecret(path: path) }
        if count <= 1024 {
            #expect(error?.code == .mismatch)
            #expect(
                error?.message == "The signing secret \(path) is damaged: it has \(count) bytes, not 32")
        } else {
            #expect(error?.code == .tooLarge)
        }
        #expect(try DiskFiles().size(path) == UInt64(count))
    }

    @Test("A folder that is not there is an error")
    func noFolder() {
        let error = #expect(throws: FileError.self) { try ServerSecret(path: folder.path + "/no/secret") }
        #expect(error?.code == .notFound)
    }

    @Test("A power loss leaves no secret or a whole one, and never changes one that was used")
    func powerLoss() throws {
        let files = RecordingFiles(root: folder.path)
        let before = signature(try ServerSecret(path: path, files: files))
        files.note("in use")
        let count = try CrashReplay(files).forEachState { state in
            let after = try ServerSecret(path: state.folder + "/secret")
            if state.notes.contains("in use") { #expect(signature(after) == before, "\(state)") }
        }
        #expect(count > 5)
    }

    @Test("Printing a secret, or what was made from it, shows none of it")
    func descriptions() throws {
        let bytes = (0..<32).map { UInt8($0 * 7 + 1) }
        let secret = try ServerSecret(path: try folder.write(bytes, to: "secret"))
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let decimal = bytes.map(String.init).joined(separator: ", ")
        let values: [Any] = [
            secret, AccessTokens(secret: secret), InstallationTokens(secret: secret), LinkSigner(secret: secret),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains(hex) && !text.contains(decimal) && !text.contains(hex.prefix(16)))
            }
        }
    }
}
