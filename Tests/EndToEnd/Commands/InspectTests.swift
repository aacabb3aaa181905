import EndToEndDriving
import Foundation
import Glibc
import HearthCalls
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
            #expect(text.contains("labels:     10, in a file beside the model, not in the model itself\n"))
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

        private struct Listing: Decodable {
            struct Signature: Decodable {
                var key: String
                var inputs: [Tensor]
                var outputs: [Tensor]
            }
            struct Subgraph: Decodable {
                var tensors: [Tensor]?
                var operators: [Operator]?
            }
            struct Tensor: Decodable {
                var index: Int
                var name: String
                var shape: [Int]
                var quantization: Quantization?
            }
            struct Quantization: Decodable {
                var scales: [Float]
                var dimension: Int?
            }
            struct Operator: Decodable {
                var name: String
                var inputs: [Int]
            }
            var contract: ModelContract
            var signatures: [Signature]
            var subgraphs: [Subgraph]?
        }

        private func listing(_ arguments: String...) throws -> Listing {
            let ending = try HearthProgram.run(["inspect"] + arguments + ["--json"])
            #expect(ending.exitCode == 0, "\(ending.errors)")
            return try WireJSON.decode(Listing.self, from: ending.output.utf8)
        }

        @Test func signaturesAreToldWithWhatTheyTake() throws {
            let listing = try listing(SampleModels.bundle)
            #expect(listing.signatures.map(\.key) == listing.contract.signatures)
            #expect(listing.signatures.first?.inputs.map(\.name) == ["image"])
            #expect(listing.signatures.first?.outputs.map(\.shape) == [[1, 10]])
            #expect(listing.subgraphs == nil)
            let text = try HearthProgram.run(["inspect", SampleModels.file]).output
            #expect(text.contains("signature:  serving_default\n  input:    image uint8 [1, 32, 32, 3] scale "))
        }

        @Test func everyTensorAndOperatorIsListedOnDemand() throws {
            let subgraph = try #require(
                try listing(SampleModels.file, "--tensors", "--operators").subgraphs?.first)
            let tensors = try #require(subgraph.tensors)
            let operators = try #require(subgraph.operators)
            #expect(tensors.map(\.index) == Array(tensors.indices))
            let isPerChannel = tensors.contains {
                ($0.quantization?.scales.count ?? 0) > 1 && $0.quantization?.dimension != nil
            }
            #expect(isPerChannel)
            #expect(operators.count { $0.name == "CONV_2D" } == 4)
            #expect(operators.allSatisfy { $0.inputs.allSatisfy { $0 < tensors.count } })

            let text = try HearthProgram.run(["inspect", SampleModels.file, "--tensors", "--operators"]).output
            #expect(text.contains("scales along dimension"))
            let lines = text.split(separator: "\n")
            #expect(lines.count { $0.contains(" CONV_2D ") && !$0.hasPrefix("operators:") } == 4)
        }

        @Test func openSizesAreMinusOne() throws {
            let file = TestPaths.fixtures.appendingPathComponent("models/add_batch.tflite").path
            #expect(try listing(file, "--tensors").subgraphs?.first?.tensors?.first?.shape == [-1, 2])
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
