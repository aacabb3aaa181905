import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// Damaged files are read or refused; nothing else may happen. The seed is fixed, so a failure comes back.
@Suite struct MutationTests {
    /// SplitMix64.
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// Reads everything that can be read out of the file.
    private func readAll(_ bytes: [UInt8]) {
        do {
            let file = try ModelFile(ModelBytes(copying: bytes))
            _ = try? ModelMetadata(of: file)
            if let archive = try? ZipArchive(in: file.bytes) {
                for member in archive.members { _ = try? archive.contents(of: member) }
            }
            try rewriteAll(file)
            try file.checkForLoading()
        } catch {
            #expect(!error.message.isEmpty && !error.message.contains("\n") && error.message.utf8.count < 1000)
        }
    }

    /// Makes every change that can be made.
    private func rewriteAll(_ file: ModelFile) throws(ModelFileError) {
        var rewrite = ModelRewrite(file)
        rewrite.setSignatures(file.signatures.filter { isSound($0, in: file.graph) })
        for (number, subgraph) in file.graph.subgraphs.enumerated() {
            for (operatorNumber, node) in subgraph.operators.enumerated() {
                let inputs = node.inputs.filter(subgraph.tensors.indices.contains)
                let canBeCopied =
                    node.inputs.first.map { first in
                        inputs.first == first && [8, 16, 32, 64].contains(subgraph.tensors[first].type.bitWidth)
                    } ?? false
                if canBeCopied && operatorNumber < 1000 {
                    rewrite.copyInput(ofOperator: operatorNumber, inSubgraph: number)
                } else {
                    rewrite.replaceOperator(operatorNumber, inSubgraph: number, withCustom: "Mine", inputs: inputs)
                }
            }
            for (place, tensor) in subgraph.tensors.enumerated() {
                rewrite.clearVariable(tensor: place, inSubgraph: number)
                rewrite.restateShape(
                    ofTensor: place, inSubgraph: number, as: tensor.shape, signature: tensor.shapeSignature)
            }
            for (output, tensor) in subgraph.outputs.enumerated()
            where subgraph.tensors.indices.contains(tensor) && subgraph.tensors[tensor].shape.count < 8
                && subgraph.tensors[tensor].type.bitWidth >= 8
            {
                rewrite.divertOutput(output, ofSubgraph: number, toCustom: "Sink")
            }
        }
        rewrite.setMetadata("MINE", [1])
        let changed = try rewrite.modelFile()
        #expect(changed.graph.subgraphs.map(\.inputs) == file.graph.subgraphs.map(\.inputs))
        try? changed.checkForLoading()
    }

    private func isSound(_ signature: ModelGraph.Signature, in graph: ModelGraph) -> Bool {
        guard graph.subgraphs.indices.contains(signature.subgraph) else { return false }
        let tensors = graph.subgraphs[signature.subgraph].tensors.indices
        return (signature.inputs + signature.outputs).allSatisfy { tensors.contains($0.tensor) }
    }

    private static let interesting: [UInt32] = [0, 1, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFE]

    private func mutate(_ seed: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = seed
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            for _ in 0...Int.random(in: 0..<8, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
        case 1:
            let start = Int.random(in: 0...bytes.count - 4, using: &generator) & ~3
            let value = Self.interesting.randomElement(using: &generator) ?? 0
            bytes.replaceSubrange(start..<start + 4, with: value.littleEndianBytes)
        case 2: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
        default:
            let start = Int.random(in: bytes.indices, using: &generator)
            let count = min(Int.random(in: 1...64, using: &generator), bytes.count - start)
            for index in start..<start + count { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        }
        return bytes
    }

    private func seedModel() throws -> [UInt8] {
        var model = TestModel()
        model.subgraphs[0].tensors = [.quantized("x"), .quantized("y")]
        model.subgraphs.append(model.subgraphs[0])
        model.subgraphs[0].nodes[0].code = 119
        model.subgraphs[0].nodes[0].options = (93, [0: .integer(Int32(1)), 1: .integer(Int32(1))])
        model.signatures = [.init(inputs: [("in", 0)], outputs: [("out", 1)])]
        model.metadata = [("TFLITE_METADATA", TestMetadata.block())]
        var writer = ZipWriter()
        try writer.add("labels.txt", Array("daisy\nrose\n".utf8))
        try writer.add("notes.txt", Array("notes".utf8))
        return try writer.appended(to: model.bytes())
    }

    @Test func builtModelsSurviveMutation() throws {
        let seed = try seedModel()
        readAll(seed)
        var generator = Generator(state: 0x4845_4152_5448)
        for _ in 0..<3000 { readAll(mutate(seed, &generator)) }
    }

    @Test(arguments: ModelFile.fixtureNames) func fixturesSurviveMutation(name: String) throws {
        let seed = try ModelFile(fixture: name).bytes.withUnsafeBytes { [UInt8]($0) }
        readAll(seed)
        var generator = Generator(state: 0x5245_5752_4954)
        for _ in 0..<20 { readAll(mutate(seed, &generator)) }
    }

    @Test func everyTruncationIsRefused() throws {
        let seed = TestModel().bytes()
        for count in 1..<seed.count {
            #expect(throws: ModelFileError.self, "\(count) bytes") {
                try ModelFile(ModelBytes(copying: seed.prefix(count))).checkForLoading()
            }
        }
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func aRealModelSurvivesMutation() throws {
        let path = TestPaths.shared.appendingPathComponent("models/flowers_automl/model.tflite").path
        let seed = try ModelBytes(contentsOfFile: path).withUnsafeBytes { [UInt8]($0) }
        var generator = Generator(state: 7)
        for round in 0..<300 {
            var bytes = seed
            // The structure lies at the end of this file, the weights in front of it.
            let start = round.isMultiple(of: 2) ? bytes.count - 40_000 : 0
            let place = start..<bytes.count
            for _ in 0..<4 {
                let index = Int.random(in: place, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            readAll(bytes)
        }
        for _ in 0..<60 { readAll(Array(seed.prefix(Int.random(in: 1..<seed.count, using: &generator)))) }
    }
}
