import EndToEndDriving
import Foundation
import Glibc
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// The models on a device: several programs, one store, a real server.
    @Suite struct DeviceStoreTests {
        private let server: ServerProcess
        /// A model with bytes behind it, so that its transfer takes a while.
        private let bytes: [UInt8]

        init() throws {
            server = try ServerProcess()
            var generator = SplitMix64(seed: 5)
            bytes = try SampleModels.bytes() + (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let file = try server.data.write(bytes, to: "large.tflite")
            #expect(try server.hearth("models", "push", "large", file, "--publish").exitCode == 0)
        }

        private struct Installed: Decodable, Equatable {
            var name: String
            var path: String
            var sha256: String
            var size: Int
            var damaged: Bool?
        }

        private struct InstalledList: Decodable {
            var models: [Installed]
        }

        private var sha256: String { SHA256Hasher.hash(bytes).hex }
        private var store: String { server.data.path + "/device" }

        private func list() throws -> [Installed] {
            let ending = try server.hearth("device", "list", "--json")
            #expect(ending.exitCode == 0, "\(ending.errors)")
            return try WireJSON.decode(InstalledList.self, from: ending.output.utf8).models
        }

        private func start(_ arguments: [String]) throws -> RunningProgram {
            try RunningProgram(
                HearthProgram.path("hearth-full"), arguments,
                environment: ["HEARTH_APP_CONFIG": server.deviceFile, "HEARTH_STORE": store])
        }

        /// Status and length of each transfer of a file so far.
        private func transfers() -> [(status: String, bytes: Int)] {
            server.log.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ")
                guard line.contains(" GET /hearth/v1/files/"), fields.count > 6,
                    let length = fields.first(where: { $0.hasPrefix("out=") })
                else { return nil }
                return (String(fields[4]), Int(length.dropFirst(4)) ?? -1)
            }
        }

        @Test("four programs that want the same new model at once: one transfer, four correct answers")
        func fourPrograms() throws {
            let programs = try (0..<4).map { _ in try start(["pull", "large", "--json"]) }
            for program in programs {
                let ending = try program.waitForExit(seconds: 60)
                #expect(ending.exitCode == 0, "\(ending.errors)")
                let model = try WireJSON.decode(Installed.self, from: ending.output.utf8)
                #expect(model.sha256 == sha256)
                #expect(try SampleModels.bytes(model.path) == bytes)
            }
            #expect(transfers().map(\.status) == ["200"])
        }

        @Test("a program that is killed in the middle: the next one goes on where it stopped")
        func resumes() throws {
            let first = try start(["pull", "large", "--limit-rate", "400000"])
            let deadline = Deadline(seconds: 60)
            while try partialBytes() < 200_000, deadline.secondsLeft > 0 { usleep(2_000) }
            first.send(SIGKILL)
            #expect(try first.waitForExit(seconds: 30).exitCode == nil)
            let kept = try partialBytes()
            #expect(kept >= 200_000 && kept < bytes.count)
            #expect(try list().isEmpty)

            #expect(try server.hearth("pull", "large").exitCode == 0)
            #expect(try list().map(\.sha256) == [sha256])
            let last = try #require(transfers().last)
            #expect(last.status == "206")
            #expect(last.bytes == bytes.count - kept)
            #expect(try partialBytes() == 0)
        }

        private func partialBytes() throws -> Int {
            let apps = (try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []
            let files = apps.flatMap { app in
                ((try? FileManager.default.contentsOfDirectory(atPath: "\(store)/\(app)/files")) ?? []).map {
                    "\(store)/\(app)/files/\($0)"
                }
            }
            let partial = files.filter { $0.contains("/partial-") && !$0.hasSuffix(".json") }
            return partial.map { (try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int) ?? 0 }.reduce(
                0, +)
        }

        @Test("list, delete and collect, as text and as JSON")
        func commands() throws {
            #expect(try server.hearth("device", "list").output.contains("no model on this device"))
            #expect(try server.hearth("pull", "large").exitCode == 0)
            let listed = try list()
            #expect(listed.map(\.name) == ["large"])
            #expect(listed.map(\.size) == [bytes.count])
            #expect(try server.hearth("device", "list").output.contains("large"))
            #expect(try server.hearth("device", "collect").output == "Deleted 0 files.\n")

            #expect(try server.hearth("device", "delete", "large").output == "Deleted 'large' from this device.\n")
            #expect(try list().isEmpty)
            let again = try server.hearth("device", "delete", "large")
            #expect(again.exitCode == 1)
            #expect(again.errorLines == ["error: There is no model 'large' on this device."])
            #expect(try server.hearth("device", "collect", "--json").output == "{\"deletedFiles\":0}\n")
        }

        @Test("a damaged file is noticed and fetched again")
        func damage() throws {
            #expect(try server.hearth("pull", "large").exitCode == 0)
            let path = try #require(try list().first?.path)
            var damaged = bytes
            damaged[1_000_000] ^= 1
            try Data(damaged).write(to: URL(fileURLWithPath: path))
            #expect(try list().map(\.damaged) == [true])
            #expect(try server.hearth("device", "list").output.contains("damaged"))
            #expect(try server.hearth("pull", "large").exitCode == 0)
            #expect(try list().map(\.sha256) == [sha256])
            #expect(try list().map(\.damaged) == [nil])
            #expect(transfers().count == 2)
        }
    }
}

extension EndToEndSuites {
    /// What device commands say when the server says no, or when what they are given does not fit.
    @Suite struct DeviceTextTests {
        private let server: ServerProcess

        init() throws {
            server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
        }

        private func expectOneLine(
            _ ending: ProcessResult, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(ending.exitCode == 1, sourceLocation: sourceLocation)
            #expect(ending.output.isEmpty, sourceLocation: sourceLocation)
            #expect(ending.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
            #expect(ending.errors.contains(text), "\(ending.errors)", sourceLocation: sourceLocation)
        }

        /// The device configuration with one entry replaced.
        private func configuration(_ key: String, _ value: String) throws -> String {
            var entries = try server.deviceConfiguration()
            entries[key] = value
            let data = try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
            return try server.data.write(data, to: "other.plist")
        }

        /// The copy on the device is for want of a connection, not of a permission.
        @Test func aServerThatSaysNoIsBelieved() throws {
            #expect(try server.hearth("label", "digits", SampleModels.image).exitCode == 0)
            let config = try configuration("API_KEY", "A" + String(repeating: "x", count: 38))
            expectOneLine(
                try server.hearth("label", "digits", SampleModels.image, "--app-config", config),
                "refused this device")
            #expect(try server.hearth("models", "unpublish", "digits", "--yes").exitCode == 0)
            expectOneLine(
                try server.hearth("label", "digits", SampleModels.image), "There is no published model 'digits'")
        }

        @Test(arguments: ["a:b:c:d", "1:2:3", ":::", "1:2:ios:xyz"])
        func aBadAppIDIsOneLine(id: String) throws {
            let config = try configuration("GOOGLE_APP_ID", id)
            expectOneLine(try server.hearth("pull", "digits", "--app-config", config), "GOOGLE_APP_ID")
        }

        /// The user knows the model's name and the label file, and not where the device keeps models.
        @Test func labelsThatDoNotFitAreNamed() throws {
            let labels = try server.data.write(Array("one\ntwo\n".utf8), to: "wrong.txt")
            let ending = try server.hearth("label", "digits", SampleModels.image, "--labels", labels)
            expectOneLine(ending, "error: digits with \(labels): ")
            #expect(!ending.errors.contains(server.data.path + "/device"))
        }

        @Test func aFolderIsNoKey() throws {
            expectOneLine(try server.hearth("models", "list", "--credentials", "."), "'.' is a folder")
        }

        @Test func timesSayTheirZone() throws {
            #expect(try server.hearth("models", "list").output.contains("CHANGED (UTC)"))
        }
    }
}
