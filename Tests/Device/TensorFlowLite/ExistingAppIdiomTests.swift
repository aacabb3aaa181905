import Foundation
import TensorFlowLite
import Testing

/// Habits of the code around the original that existing apps share: extensions of their own, and ways to look at errors.
struct ExistingAppIdiomTests {
    @Test func dequantizesByHand() throws {
        var options = Interpreter.Options()
        options.threadCount = 2
        options.isXNNPackEnabled = true
        let interpreter = try Interpreter(modelPath: Fixture.add_uint8.path, options: options, delegates: nil)
        try interpreter.resizeInput(at: 0, to: Tensor.Shape([2]))
        try interpreter.allocateTensors()
        try interpreter.copy(Data([10, 20]), toInputAt: 0)
        try interpreter.invoke()

        let output: Tensor = try interpreter.output(at: 0)
        let results: [Float]
        switch output.dataType {
        case .uInt8:
            let parameters = try #require(output.quantizationParameters)
            results = output.data.map { (byte: UInt8) -> Float in
                parameters.scale * Float(Int(byte) - parameters.zeroPoint)
            }
        case .float32:
            results = [Float32](unsafeData: output.data) ?? []
        default:
            results = []
        }
        let expected: [Float] = [0.003922 * 30, 0.003922 * 60]
        #expect(results == expected)
    }

    @Test func copiesArraysWithExtensionsOfTheApp() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_batch.path)
        try interpreter.allocateTensors()
        try interpreter.copy(Data(copyingBufferOf: [Float32(1), 3]), toInputAt: 0)
        try interpreter.invoke()
        #expect([Float32](unsafeData: try interpreter.output(at: 0).data) == [3, 9])
        #expect(try interpreter.output(at: 0).data.toArray(type: Float32.self) == [3, 9])
    }

    @Test func readsTheInputsShape() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_uint8.path)
        try interpreter.allocateTensors()
        let shape = try interpreter.input(at: 0).shape
        #expect(shape.rank == 4)
        #expect(shape.dimensions[1] == 8 && shape.dimensions[2] == 8 && shape.dimensions[3] == 3)
    }

    @Test func takesErrorsApart() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_batch.path)
        do {
            try interpreter.copy(Data(count: 3), toInputAt: 0)
        } catch InterpreterError.invalidTensorDataCount(let provided, let required) {
            #expect((provided, required) == (3, 8))
        }
        do {
            try interpreter.invoke()
        } catch let error as InterpreterError {
            #expect(error == .allocateTensorsRequired)
            #expect(error.errorDescription == "Must call allocateTensors().")
        }
        do {
            _ = try interpreter.output(at: 9)
        } catch {
            #expect((error as NSError).code == 0)
            #expect((error as NSError).domain == "TensorFlowLite.InterpreterError")
            #expect(error.localizedDescription == "Invalid tensor index 9, max index is 0.")
        }
    }

    @Test func runsSignaturesByTheirNames() throws {
        let interpreter = try Interpreter(modelPath: Fixture.signatures.path)
        let key = try #require(interpreter.signatureKeys.first)
        let runner: SignatureRunner = try interpreter.signatureRunner(with: key)
        var inputs: [String: Data] = [:]
        for name in runner.inputs { inputs[name] = Data(copyingBufferOf: [Float32(2)]) }
        try runner.invoke(with: inputs)
        #expect([Float32](unsafeData: try runner.output(named: runner.outputs[0]).data) == [4])
    }
}

extension Data {
    fileprivate init<T>(copyingBufferOf array: [T]) {
        self = array.withUnsafeBufferPointer(Data.init)
    }

    fileprivate func toArray<T: ExpressibleByIntegerLiteral>(type: T.Type) -> [T] {
        var array = [T](repeating: 0, count: count / MemoryLayout<T>.stride)
        _ = array.withUnsafeMutableBytes { copyBytes(to: $0) }
        return array
    }
}

extension Array {
    fileprivate init?(unsafeData: Data) {
        guard unsafeData.count % MemoryLayout<Element>.stride == 0 else { return nil }
        self = unsafeData.withUnsafeBytes { .init($0.bindMemory(to: Element.self)) }
    }
}
