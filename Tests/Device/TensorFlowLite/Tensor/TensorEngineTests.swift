import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// That the engine stores elements as ``TensorElement`` says. `make_value_models.py` makes the models.
struct TensorEngineTests {
    private func interpreter(_ name: String) throws -> Interpreter {
        let path = TestPaths.fixtures.appendingPathComponent("models/\(name).tflite").path
        let interpreter = try Interpreter(modelPath: path)
        try interpreter.allocateTensors()
        return interpreter
    }

    @Test func passesEveryTypeOn() throws {
        let interpreter = try interpreter("every_type")
        func check<Element: TensorElement & Equatable>(
            _ index: Int, _ type: Tensor.DataType, _ values: [Element]
        ) throws {
            let input = try interpreter.copy(values, toInputAt: index)
            #expect(input.dataType == type)
            #expect(input.data.count == Tensor.Shape(3).byteCount(of: type))
            #expect(try input.values(as: Element.self) == values)
            try interpreter.invoke()
            let output = try interpreter.output(at: index)
            #expect(output.dataType == type)
            #expect(try output.values(as: Element.self) == values)
        }
        try check(0, .bool, [true, false, true])
        try check(1, .uInt8, [UInt8(0), 1, 255])
        try check(2, .int16, [Int16.min, -1, .max])
        try check(3, .int32, [Int32.min, -1, .max])
        try check(4, .int64, [Int64.min, -1, .max])
        try check(5, .float16, [Float16(-1.5), .infinity, 65504])
        try check(6, .float32, [Float(-1.5), -.infinity, .greatestFiniteMagnitude])
        try check(7, .float64, [-1.5, .pi, .greatestFiniteMagnitude])
        try check(8, .int8, [Int8.min, -1, .max])
        try check(9, .uInt16, [UInt16(0), 1, .max])
        try check(10, .uInt32, [UInt32(0), 1, .max])
        try check(11, .uInt64, [UInt64(0), 1, .max])
        try check(12, .int4, [Int8(-8), 7, -1])
        try check(13, .complex64, (1...3).map { Tensor.Complex(real: Float($0), imaginary: -Float($0)) })
    }

    @Test func agreesWithTheEngineOnNibblesAndParts() throws {
        let interpreter = try interpreter("as_floats")
        try interpreter.copy([Int8(-8), 7, -1], toInputAt: 0)
        try interpreter.copy((1...3).map { Tensor.Complex(real: 0, imaginary: Float($0)) }, toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values() == [Float(-8), 7, -1])
        #expect(try interpreter.output(at: 1).values() == [Float(1), 2, 3])
    }

    @Test func quantizesChannelByChannel() throws {
        let interpreter = try interpreter("per_channel")
        let description = try interpreter.inputDescription(at: 0)
        #expect(description.quantizationParameters == nil)
        #expect(description.perChannelQuantization?.scales == [0.5, 1, 2])
        #expect(description.perChannelQuantization?.zeroPoints == [0, -1, 10])
        #expect(description.perChannelQuantization?.dimension == 1)

        try interpreter.copy(quantizing: [1, 2, 4, -1, -2, -4], toInputAt: 0)
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        #expect(output.perChannelQuantization == description.perChannelQuantization)
        #expect(try output.values() == [Int8(2), 1, 12, -2, -3, 8])
        #expect(try output.dequantizedValues() == [1, 2, 4, -1, -2, -4])
    }

    @Test func refusesChannelsThatAResizeTookAway() throws {
        let interpreter = try interpreter("per_channel")
        try interpreter.resizeInput(at: 0, to: [3, 2])
        let error = #expect(throws: InterpreterError.self) {
            try interpreter.copy(quantizing: [1, 2, 3, 4, 5, 6], toInputAt: 0)
        }
        #expect("\(error as Any)".contains("3 scales"))
    }
}
