import Foundation
import Testing

@testable import TensorFlowLite

/// Elements of fixed size against bytes written down by hand.
struct TensorValueTests {
    /// Reads `bytes` as `values` and writes `values` as `bytes`.
    private func check<Element: TensorElement & Equatable>(
        _ type: Tensor.DataType, _ values: [Element], _ bytes: [UInt8]
    ) throws {
        let tensor = Tensor(name: "", dataType: type, shape: [values.count], data: Data(bytes))
        #expect(try tensor.values(as: Element.self) == values)
        #expect(try tensor.summary.data(of: values) == Data(bytes))
        // Not aligned, and not from index 0 on.
        let slice = (Data([0xEE]) + Data(bytes)).dropFirst()
        let moved = Tensor(name: "", dataType: type, shape: [1, values.count], data: slice)
        #expect(try moved.values() == values)
    }

    @Test func codesIntegers() throws {
        try check(.bool, [true, false], [1, 0])
        try check(.uInt8, [UInt8(0), 200], [0, 0xC8])
        try check(.int8, [Int8(-1), 127], [0xFF, 0x7F])
        try check(.int16, [Int16(0x1234), -2], [0x34, 0x12, 0xFE, 0xFF])
        try check(.uInt16, [UInt16(0xFFFE)], [0xFE, 0xFF])
        try check(.int32, [Int32(0x0102_0304), -1], [4, 3, 2, 1, 0xFF, 0xFF, 0xFF, 0xFF])
        try check(.uInt32, [UInt32(0xFFFF_FF00)], [0, 0xFF, 0xFF, 0xFF])
        try check(.int64, [Int64.min, 1], [0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0])
        try check(.uInt64, [UInt64.max], [UInt8](repeating: 0xFF, count: 8))
    }

    @Test func codesFloats() throws {
        try check(.float16, [Float16(1), -2], [0x00, 0x3C, 0x00, 0xC0])
        try check(.float32, [Float(1), -2], [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
        try check(.float64, [1.0], [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        try check(.complex64, [Tensor.Complex(real: Float(1), imaginary: -2)], [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
        try check(
            .complex128, [Tensor.Complex(real: 1.0, imaginary: -2)],
            [0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0])
    }

    @Test func readsEveryByteButZeroAsTrue() throws {
        let tensor = Tensor(name: "", dataType: .bool, shape: [4], data: Data([0, 1, 2, 255]))
        #expect(try tensor.values() == [false, true, true, true])
    }

    @Test func packsTwoInt4ToAByte() throws {
        try check(.int4, [Int8](), [])
        try check(.int4, [Int8(-1)], [0x0F])
        try check(.int4, [Int8(1), -2], [0xE1])
        try check(.int4, [Int8(-8), 7, 3], [0x78, 0x03])
        // The bits after an odd count mean nothing.
        let tensor = Tensor(name: "", dataType: .int4, shape: [1], data: Data([0xF1]))
        #expect(try tensor.values() == [Int8(1)])
        // Three take as many bytes as four, so elements are counted.
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 3, required: 4)) {
            try Tensor.Description(name: "", dataType: .int4, shape: [4]).data(of: [Int8(1), 2, 3])
        }
    }

    @Test(arguments: [[0, 8], [-9, 0], [0, 0, 127]] as [[Int8]])
    func refusesWhatFourBitsCannotHold(values: [Int8]) {
        let int4 = Tensor.Description(name: "", dataType: .int4, shape: [values.count])
        let error = #expect(throws: InterpreterError.self) { try int4.data(of: values) }
        #expect("\(error as Any)".contains("-8 to 7"))
    }

    @Test func holdsScalarsAndNothing() throws {
        let scalar = Tensor(name: "", dataType: .float32, shape: [], data: Data([0, 0, 0x80, 0x3F]))
        #expect(try scalar.values() == [Float(1)])
        let none = Tensor(name: "", dataType: .int64, shape: [3, 0, 2], data: Data())
        #expect(try none.values() == [Int64]())
    }

    @Test func readsOnlyTheExactType() throws {
        func refuses<Element: TensorElement>(_ type: Tensor.DataType, _: Element.Type, count: Int = 4) {
            let tensor = Tensor(name: "", dataType: type, shape: [1], data: Data(count: count))
            #expect(throws: InterpreterError.invalidTensorDataType) { try tensor.values(as: Element.self) }
            #expect(throws: InterpreterError.invalidTensorDataType) { try tensor.summary.data(of: [Element]()) }
        }
        refuses(.float32, Int32.self)
        refuses(.int32, Float.self)
        refuses(.int32, UInt32.self)
        refuses(.uInt8, Int8.self)
        refuses(.int8, Bool.self)
        refuses(.bool, UInt8.self)
        refuses(.uInt8, Data.self)
        refuses(.uInt8, String.self)
        refuses(.string, UInt8.self)
        refuses(.int4, UInt8.self)
        refuses(.float16, UInt16.self)
        refuses(.complex64, Double.self)
        refuses(.complex64, Tensor.Complex<Double>.self)
        refuses(.complex128, Tensor.Complex<Float>.self)
        refuses(.float32, Tensor.Complex<Float16>.self)
    }

    @Test(arguments: [0, 7, 9, 4096])
    func refusesBytesOfAnotherCount(count: Int) {
        let tensor = Tensor(name: "", dataType: .float32, shape: [2], data: Data(count: count))
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: count, required: 8)) {
            try tensor.values(as: Float.self)
        }
        let int4 = Tensor(name: "", dataType: .int4, shape: [3], data: Data(count: count))
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: count, required: 2)) {
            try int4.values(as: Int8.self)
        }
    }

    @Test(arguments: [[-1], [.max], [.max, .max], [1 << 32, 1 << 32], [.min, 2], [2, -3]] as [Tensor.Shape])
    func refusesImpossibleShapes(shape: Tensor.Shape) {
        for type in [Tensor.DataType.float32, .complex128, .uInt16] {
            let tensor = Tensor(name: "", dataType: type, shape: shape, data: Data(count: 8))
            #expect(shape.byteCount(of: type) == nil)
            #expect(throws: InterpreterError.self) { try tensor.summary.requiredElementCount() }
        }
        for type in [Tensor.DataType.float32, .int4, .string, .int8] {
            let tensor = Tensor(
                name: "", dataType: type, shape: shape, data: Data(count: 8),
                quantizationParameters: QuantizationParameters(scale: 1, zeroPoint: 0))
            #expect(throws: InterpreterError.self) { try tensor.dequantizedValues() }
            #expect(throws: InterpreterError.self) { try tensor.values(as: Float.self) }
            #expect(throws: InterpreterError.self) { try tensor.values(as: Int8.self) }
            #expect(throws: InterpreterError.self) { try tensor.values(as: String.self) }
            #expect(throws: InterpreterError.self) { try tensor.summary.data(quantizing: [1]) }
        }
    }

    @Test func countsBytes() {
        #expect(Tensor.Shape(2, 3).byteCount(of: .bool) == 6)
        #expect(Tensor.Shape(2, 3).byteCount(of: .float16) == 12)
        #expect(Tensor.Shape(2, 3).byteCount(of: .complex64) == 48)
        #expect(Tensor.Shape(2, 3).byteCount(of: .complex128) == 96)
        #expect(Tensor.Shape(2, 3).byteCount(of: .int4) == 3)
        #expect(Tensor.Shape(3, 3).byteCount(of: .int4) == 5)
        #expect(Tensor.Shape(.max).byteCount(of: .int4) == 1 << 62)
        #expect(Tensor.Shape([]).byteCount(of: .int4) == 1)
        #expect(Tensor.Shape(0, 3).byteCount(of: .int4) == 0)
        #expect(Tensor.Shape([]).byteCount(of: .int64) == 8)
        #expect(Tensor.Shape(2).byteCount(of: .string) == nil)
        #expect(Tensor.Shape(1 << 62).byteCount(of: .int8) == 1 << 62)
        #expect(Tensor.Shape(1 << 62).byteCount(of: .int16) == nil)
    }
}

struct TensorDescriptionTests {
    private let half = QuantizationParameters(scale: 0.5, zeroPoint: 1)
    private let channels = PerChannelQuantization(scales: [1, 2], zeroPoints: [0, 1], dimension: 0)

    private func description(
        name: String = "x", dataType: Tensor.DataType = .int8, shape: Tensor.Shape = [2],
        quantization: QuantizationParameters? = nil, channels: PerChannelQuantization? = nil
    ) -> Tensor.Description {
        Tensor.Description(
            name: name, dataType: dataType, shape: shape, quantizationParameters: quantization,
            perChannelQuantization: channels)
    }

    @Test func comparesByEveryPart() {
        let different = [
            description(), description(name: "y"), description(dataType: .uInt8), description(shape: [2, 1]),
            description(quantization: half), description(channels: channels),
        ]
        #expect(description(quantization: half) == description(quantization: half))
        #expect(Set(different + different).count == different.count)
    }

    @Test func comparesChannelsByEveryPart() {
        let different = [
            channels, PerChannelQuantization(scales: [1, 3], zeroPoints: [0, 1], dimension: 0),
            PerChannelQuantization(scales: [1, 2], zeroPoints: [0, 2], dimension: 0),
            PerChannelQuantization(scales: [1, 2], zeroPoints: [0, 1], dimension: 1),
        ]
        #expect(Set(different + different).count == different.count)
    }

    @Test func saysOfATensorWhatTheTensorSays() throws {
        let interpreter = try Fixture.add_int8.allocated()
        for (tensor, description) in [
            (try interpreter.input(at: 0), try interpreter.inputDescription(at: 0)),
            (try interpreter.output(at: 0), try interpreter.outputDescription(at: 0)),
        ] {
            #expect(tensor.summary == description)
            #expect(description.name == tensor.name)
            #expect(description.dataType == .int8)
            #expect(description.shape == [1, 8, 8, 3])
            #expect(description.quantizationParameters == QuantizationParameters(scale: 0.5, zeroPoint: -3))
            #expect(description.perChannelQuantization == nil)
        }
    }

    @Test func complexNumbersCompareByBothParts() {
        var number = Tensor.Complex(real: Float(1))
        #expect(number.imaginary == 0)
        number.imaginary = 2
        #expect(number == Tensor.Complex(real: 1, imaginary: 2))
        let different = [number, Tensor.Complex(real: 1), Tensor.Complex(real: 2, imaginary: 2)]
        #expect(Set(different + different).count == different.count)
    }
}
