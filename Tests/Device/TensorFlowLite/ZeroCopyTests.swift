import Foundation
import TensorFlowLite
import Testing

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
