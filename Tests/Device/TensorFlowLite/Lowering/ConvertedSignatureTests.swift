import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@testable import TensorFlowLite

/// Some versions of TensorFlow's converter leave the signature of a quantized model as it was before the conversions at both
/// ends were added.
struct ConvertedSignatureTests {
    @Test func aSignatureThatNamesTensorsBehindConversionsRunsAsOneOfTheEnds() throws {
        let path = TestPaths.package.path + "/Models/digits-labeler/model.tflite"
        let original = try ModelFile(ModelBytes(contentsOfFile: path))
        let main = original.graph.subgraphs[0]
        var signature = try #require(original.graph.signatures.first)
        let first = try #require(main.operators.first { $0.name == "QUANTIZE" && $0.inputs == main.inputs })
        let last = try #require(main.operators.last { $0.name == "QUANTIZE" && $0.outputs == main.outputs })
        signature.inputs[0].tensor = first.outputs[0]
        signature.outputs[0].tensor = last.inputs[0]
        var rewrite = ModelRewrite(original)
        rewrite.setSignatures([signature])
        let folder = try TemporaryFolder()
        let changed = try folder.write(rewrite.modelFile().bytes.withUnsafeBytes { [UInt8]($0) }, to: "changed.tflite")
        #expect(try ModelFile(ModelBytes(contentsOfFile: changed)).graph.signatures == original.graph.signatures)

        let image = Data((0..<32 * 32 * 3).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let results = try [path, changed].map { path in
            let interpreter = try Interpreter(modelPath: path)
            try interpreter.allocateTensors()
            try interpreter.copy(image, toInputAt: 0)
            try interpreter.invoke()
            let runner = try interpreter.signatureRunner(with: signature.key)
            try runner.invoke(with: [signature.inputs[0].name: image])
            let result = try interpreter.output(at: 0).data
            #expect(try runner.output(named: signature.outputs[0].name).data == result)
            return result
        }
        #expect(results[0] == results[1])
    }
}
