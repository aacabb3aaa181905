import EndToEndDriving
import Foundation
import HearthCrypto
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// What looks like too much to remove at once waits for `hearth admin clean`.
    @Suite struct CleaningTests {
        private let data: TemporaryFolder

        init() throws { data = try TemporaryFolder() }

        private func clean(_ arguments: String...) throws -> Ending {
            try HearthProgram.run(["admin", "clean", "--data", data.path] + arguments)
        }

        private func count(prefix: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: data.path + "/blobs").count { $0.hasPrefix(prefix) }
        }

        @Test func anOperatorSaysThatItIsRight() throws {
            #expect(try ServerProcess(data: data).terminate().exitCode == 0)
            for number in 0...20 {
                let bytes = Array("orphan \(number)".utf8)
                _ = try data.write(bytes, to: "blobs/" + SHA256Hasher.hash(bytes).hex)
            }
            #expect(try clean().output.hasPrefix("Nothing waits in "))
            #expect(try clean("--confirm", "21").exitCode == 1)

            let server = try ServerProcess(data: data)
            #expect(Deadline.wait { FileManager.default.fileExists(atPath: data.path + "/upkeep-waiting") })
            #expect(try count(prefix: "aside-") == 0)
            let waiting = try clean()
            #expect(waiting.output == "21 waiting: 21 of 21 model files that no record names\n")
            let other = try clean("--confirm", "20")
            #expect(other.exitCode == 1 && other.errors.contains("21 wait in"))
            #expect(try clean("--confirm", "21").exitCode == 0)
            let ending = try server.terminate()
            #expect(ending.exitCode == 0)
            #expect(ending.errors.contains("hearth admin clean --confirm 21"))

            let next = try ServerProcess(data: data)
            #expect(try Deadline.wait { try count(prefix: "aside-") == 21 })
            #expect(Deadline.wait { !FileManager.default.fileExists(atPath: data.path + "/upkeep-waiting") })
            #expect(try next.terminate().exitCode == 0)
            #expect(try clean().output.hasPrefix("Nothing waits in "))
        }
    }
}
