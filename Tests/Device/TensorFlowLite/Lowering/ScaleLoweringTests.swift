import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@testable import TensorFlowLite

/// Weights with one scale for all channels, of which the engine by itself reads one for each channel.
struct ScaleLoweringTests {
    private static let kernelModes = [Interpreter.Options.KernelMode.xnnPack, .builtIn]

    /// The outputs for an input that has as many values as the model takes.
    private func outputs(
        _ fixture: ScaleFixture, _ kernelMode: Interpreter.Options.KernelMode = .xnnPack
    ) throws -> [[Float]] {
        let interpreter = try fixture.allocated(.with { $0.kernelMode = kernelMode })
        let count = try #require(try interpreter.input(at: 0).shape.byteCount(of: .float32)) / 4
        try interpreter.copy((0..<count).map { sin(Float($0)) }, toInputAt: 0)
        try interpreter.invoke()
        return try (0..<interpreter.outputTensorCount).map { try interpreter.output(at: $0).values() }
    }

    /// The engine by itself multiplies all channels but the first by what stands in memory behind the scale, and refuses
    /// the second and, without XNNPACK, the third.
    @Test(arguments: ScaleFixture.allCases, kernelModes)
    func weightsHaveTheScaleInAllChannels(
        fixture: ScaleFixture, kernelMode: Interpreter.Options.KernelMode
    ) throws {
        let outputs = try outputs(fixture, kernelMode)
        let largest = try #require(outputs[1].map(abs).max())
        #expect(largest > 1)
        #expect(outputs[0].count == outputs[1].count)
        // The engine quantizes the input.
        let differences = zip(outputs[0], outputs[1]).map { abs($0 - $1) }
        #expect(differences.allSatisfy { $0 < 0.02 * largest }, "\(differences.max() ?? 0) of \(largest)")
    }

    @Test(arguments: ScaleFixture.allCases, kernelModes)
    func everyLoadGivesTheSameBytes(fixture: ScaleFixture, kernelMode: Interpreter.Options.KernelMode) throws {
        let first = try outputs(fixture, kernelMode)
        // Other memory is behind the list.
        let others = (1...64).map { [Float](repeating: Float($0), count: $0) }
        for _ in 0..<3 { #expect(try outputs(fixture, kernelMode) == first) }
        #expect(others.count == 64)
    }

    @Test func otherOperatorsKeepTheirWeights() throws {
        let weights = try outputs(.shared)[2]
        #expect(weights.count == 72)
        #expect(weights.allSatisfy { ($0 * 64).rounded() == $0 * 64 && abs($0) < 2 })
    }

    @Test func operatorsWithTheSameWeightsShareTheirScales() throws {
        let model = try LoweredModel(try ModelFile(ModelBytes(contentsOfFile: ScaleFixture.shared.path)))
        let operators = model.file.graph.subgraphs[0].operators.filter { $0.name == "DEPTHWISE_CONV_2D" }
        #expect(operators[0].inputs[1] == operators[1].inputs[1])
        let tensor = model.file.graph.subgraphs[0].tensors[operators[0].inputs[1]]
        #expect(tensor.quantization?.scales == [Float](repeating: 1 / 64, count: 8))
        #expect(tensor.quantization?.zeroPoints == [Int64](repeating: 0, count: 8))
        #expect(tensor.quantization?.dimension == 3)
    }

    /// A rewrite takes as much memory as the file.
    @Test func otherModelsStayAsTheyAre() throws {
        for path in [EngineFixture.dense_1.path, Fixture.per_channel.path] {
            let file = try ModelFile(ModelBytes(contentsOfFile: path))
            #expect(try LoweredModel(file).file.bytes.baseAddress == file.bytes.baseAddress)
        }
    }
}
