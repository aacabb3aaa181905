import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// A model mapped from an immutable file runs like one that was read, and outlives its name.
struct MappedModelTests {
    @Test(arguments: [Fixture.add_uint8, .flatten, .where_, .signatures])
    func runsFromAMapping(fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(contentsOf: URL(fileURLWithPath: fixture.path)), to: "model.tflite")
        let interpreter = try Interpreter(model: ModelFile(mappingImmutableFile: path))
        try FileManager.default.removeItem(atPath: path)
        let other = try fixture.interpreter()
        for interpreter in [interpreter, other] {
            try interpreter.allocateTensors()
            for index in 0..<interpreter.inputTensorCount {
                try interpreter.withUnsafeMutableInputBytes(at: index) { bytes in
                    for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: 3 * place + 1) & 0x3F }
                }
            }
            try interpreter.invoke()
        }
        for index in 0..<other.outputTensorCount {
            #expect(try interpreter.output(at: index) == other.output(at: index))
        }
    }
}
