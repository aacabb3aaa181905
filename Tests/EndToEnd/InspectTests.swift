import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// What is said about a model without running it.
    @Suite struct InspectTests {
        private func report(_ path: String) throws -> ProbeReport {
            let ending = try HearthProgram.run(["inspect", path, "--json"])
            #expect(ending.exitCode == 0, "\(ending.errors)")
            return try WireJSON.decode(ProbeReport.self, from: ending.output.utf8)
        }

        @Test func labelsInsideTheModelAreCounted() throws {
            #expect(try report(SampleModels.bundle).contract?.labelCount == 10)
            let server = try ServerProcess()
            let push = try server.hearth("models", "push", "digits", SampleModels.bundle, "--json")
            let model = try WireJSON.decode(ModelResource.self, from: push.output.utf8)
            #expect(model.hearth?.contract?.labelCount == 10)
        }

        @Test func labelsBesideTheModelAreNoPartOfIt() throws {
            #expect(try report(SampleModels.file).contract?.labelCount == nil)
            let text = try HearthProgram.run(["inspect", SampleModels.file]).output
            #expect(text.contains("labels:     10, in a file beside the model\n"))
        }

        /// The model is sound whatever its label file is.
        @Test func aDamagedLabelFileHasNoCount() throws {
            let folder = try TemporaryFolder()
            let packed = folder.path + "/packed.tflite"
            #expect(try HearthProgram.run(["pack", SampleModels.bundle, "-o", packed]).exitCode == 0)
            var bytes = try SampleModels.bytes(packed)
            let header = Array("PK\u{3}\u{4}".utf8)
            let name = Array("dict.txt".utf8)
            // A member's name follows its header of 30 bytes; then come its bytes.
            let start = try #require(
                bytes.indices.dropLast(40).first { index in
                    bytes[index] == header[0] && bytes[index..<(index + 4)].elementsEqual(header)
                        && bytes[(index + 30)..<(index + 38)].elementsEqual(name)
                })
            bytes[start + 38] ^= 1
            let damaged = try report(folder.write(bytes, to: "damaged.tflite"))
            #expect(damaged.verdict == .ok)
            #expect(damaged.contract?.labelCount == nil)
        }

        @Test func aPipeIsNoModel() throws {
            let folder = try TemporaryFolder()
            let pipe = folder.path + "/pipe"
            mkfifo(pipe, 0o600)
            let ending = try HearthProgram.run(["inspect", pipe])
            #expect(ending.exitCode == 1)
            #expect(ending.errorLines.count == 1)
            #expect(ending.errors.contains("not a regular file"))
        }
    }
}
