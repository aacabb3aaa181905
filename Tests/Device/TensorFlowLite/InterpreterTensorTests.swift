import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Copying typed values to inputs, beside the copying of bytes that apps know.
struct TensorCopyTests {
    @Test func runsOnValues() throws {
        let interpreter = try Fixture.add_batch.allocated()
        let input = try interpreter.copy([Float(1), 3], toInputAt: 0)
        #expect(try input.values() == [Float(1), 3])
        try interpreter.invoke()
        let sums: [Float] = try interpreter.output(at: 0).values()
        #expect(sums == [3, 9])
        #expect(try interpreter.output(at: 0).dequantizedValues() == [3, 9])
    }

    @Test func runsOnRealNumbers() throws {
        let interpreter = try Fixture.add_int8.allocated(resizedTo: [2])
        let input = try interpreter.copy(quantizing: [2, -0.5], toInputAt: 0)
        #expect(try input.values() == [Int8(1), -4])
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).dequantizedValues() == [6, -1.5])
    }

    @Test func checksInTheDocumentedOrder() throws {
        let interpreter = try Fixture.add_uint8.interpreter()
        try interpreter.resizeInput(at: 0, to: [2])
        for index in [-1, 1, .max] {
            #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)) {
                try interpreter.copy(["text"], toInputAt: index)
            }
            #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)) {
                try interpreter.copy(quantizing: [.nan], toInputAt: index)
            }
        }
        #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy([Float(1)], toInputAt: 0) }
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 3, required: 2)) {
            try interpreter.copy([UInt8](repeating: 1, count: 3), toInputAt: 0)
        }
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 1, required: 2)) {
            try interpreter.copy(quantizing: [.nan], toInputAt: 0)
        }
        #expect(throws: InterpreterError.allocateTensorsRequired) {
            try interpreter.copy([UInt8(1), 2], toInputAt: 0)
        }
        #expect(throws: InterpreterError.allocateTensorsRequired) {
            try interpreter.copy(quantizing: [1, 2], toInputAt: 0)
        }
    }

    @Test func countsBytesOfValues() throws {
        let interpreter = try Fixture.add_batch.allocated()
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 12, required: 8)) {
            try interpreter.copy([Float(1), 2, 3], toInputAt: 0)
        }
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 0, required: 8)) {
            try interpreter.copy([Float](), toInputAt: 0)
        }
    }

    /// Whatever apps write today with `Data` still means bytes.
    @Test func takesDataAsBytes() throws {
        let interpreter = try Fixture.add_batch.allocated()
        let expected = Data(elements: [Float(1), 3])
        let data = expected
        #expect(try interpreter.copy(data, toInputAt: 0).data == expected)
        #expect(try interpreter.copy((Data([9]) + data).dropFirst(), toInputAt: 0).data == expected)
        #expect(try interpreter.copy(Data([0, 0, 0x80, 0x3F, 0, 0, 0x40, 0x40]), toInputAt: 0).data == expected)
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 0, required: 8)) {
            try interpreter.copy(Data(), toInputAt: 0)
        }
        #expect(try interpreter.copy(.init(count: 8), toInputAt: 0).data == Data(count: 8))
        #expect(try interpreter.copy(.init(repeating: 0, count: 8), toInputAt: 0).data == Data(count: 8))
        let copy = interpreter.copy(_:toInputAt:) as (Data, Int) throws -> Tensor
        #expect(try copy(data, 0).data == expected)
        #expect(try [data].map { try interpreter.copy($0, toInputAt: 0) }.first?.data == expected)
        try interpreter.copy([Float(1), 3].withUnsafeBytes { Data($0) }, toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values() == [Float(3), 9])
    }

    @Test func takesLiteralsAsValues() throws {
        let bytes = try Fixture.add_uint8.allocated(resizedTo: [2])
        #expect(try bytes.copy([1, 3] as [UInt8], toInputAt: 0).values() == [UInt8(1), 3])
        let floats = try Fixture.add_batch.allocated()
        #expect(try floats.copy([1, 3] as [Float], toInputAt: 0).values() == [Float(1), 3])
        #expect(throws: InterpreterError.invalidTensorDataType) { try floats.copy([1.0, 3.0], toInputAt: 0) }
    }
}

struct ZeroCopyTests {
    @Test func writesAndReadsInPlace() throws {
        let interpreter = try Fixture.add_batch.allocated()
        try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
            #expect(bytes.count == 8)
            #expect(Int(bitPattern: bytes.baseAddress) % 64 == 0)
            bytes.copyBytes(from: Data(elements: [Float(1), 3]))
        }
        #expect(try interpreter.input(at: 0).data.elements(Float.self) == [1, 3])
        try interpreter.invoke()
        let sum = try interpreter.withUnsafeOutputBytes(at: 0) { bytes in
            #expect(bytes.count == 8)
            return bytes.bindMemory(to: Float.self).reduce(0, +)
        }
        #expect(sum == 12)
    }

    @Test func passesOnWhatTheClosureThrows() throws {
        let interpreter = try Fixture.add_batch.allocated()
        #expect(throws: CocoaError.self) {
            try interpreter.withUnsafeMutableInputBytes(at: 0) { _ in throw CocoaError(.featureUnsupported) }
        }
        #expect(throws: CocoaError.self) {
            try interpreter.withUnsafeOutputBytes(at: 0) { _ in throw CocoaError(.featureUnsupported) }
        }
    }

    @Test func lendsMemoryThatOutlivesAResizeInTheClosure() throws {
        let interpreter = try Fixture.add_batch.allocated()
        try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
            try interpreter.resizeInput(at: 0, to: [500, 2])
            try interpreter.allocateTensors()
            bytes.copyBytes(from: Data(elements: [Float(1), 3]))
        }
        try interpreter.withUnsafeMutableInputBytes(at: 0) { #expect($0.count == 4000) }
    }

    @Test func lendsNoMemoryOfUnsupportedTypes() throws {
        let interpreter = try OriginalFixture.bfloat16.allocated()
        #expect(throws: InterpreterError.invalidTensorDataType) {
            try interpreter.withUnsafeMutableInputBytes(at: 0) { _ in }
        }
        #expect(throws: InterpreterError.invalidTensorDataType) {
            try interpreter.withUnsafeOutputBytes(at: 1) { _ in }
        }
    }

    @Test func describesWithoutAllocating() throws {
        let interpreter = try Fixture.add_uint8.interpreter()
        let input = try interpreter.inputDescription(at: 0)
        #expect(input.name == "input")
        #expect(input.dataType == .uInt8)
        #expect(input.shape == [1, 8, 8, 3])
        #expect(input.quantizationParameters?.scale == 0.003922)
        #expect(try interpreter.outputDescription(at: 0).name == "output")
        try interpreter.allocateTensors()
        #expect(try interpreter.outputDescription(at: 0).shape == [1, 8, 8, 3])
    }

    @Test func describesOpenDimensionsAsOne() throws {
        #expect(try Fixture.add_batch.interpreter().inputDescription(at: 0).shape == [1, 2])
    }
}
