import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@Suite struct QuantizationRuleTests {
    /// LiteRT's kernel aborts the process at allocation on this one.
    @Test func refusesASumWhoseOutputScaleIsFarBelowItsInputs() throws {
        let bytes = try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("models/add_int8.tflite"))
        try ModelFile(ModelBytes(copying: bytes)).checkForLoading()
        let scales = try ModelFile(ModelBytes(copying: bytes)).graph.subgraphs[0].tensors
            .compactMap { $0.quantization?.scales.first }
        let refusals = Set(scales).flatMap { scale in
            Self.offsets(of: scale, in: bytes).map { offset in
                Self.refusal(of: Self.replacing(offset, by: 4.7e-10, in: bytes))
            }
        }
        #expect(refusals.contains { $0?.message.contains("output scale (4.7e-10)") == true })
    }

    private static func offsets(of scale: Float, in bytes: Data) -> [Int] {
        let pattern = withUnsafeBytes(of: scale.bitPattern.littleEndian) { Data($0) }
        return (0...(bytes.count - 4)).filter { bytes[$0..<($0 + 4)] == pattern }
    }

    private static func replacing(_ offset: Int, by scale: Float, in bytes: Data) -> Data {
        var copy = bytes
        copy.replaceSubrange(
            offset..<(offset + 4), with: withUnsafeBytes(of: scale.bitPattern.littleEndian) { Data($0) })
        return copy
    }

    private static func refusal(of bytes: Data) -> ModelFileError? {
        do throws(ModelFileError) {
            try ModelFile(ModelBytes(copying: bytes)).checkForLoading()
            return nil
        } catch {
            return error
        }
    }
}
