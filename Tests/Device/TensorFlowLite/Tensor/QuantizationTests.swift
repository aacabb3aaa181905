import Foundation
import Testing

@testable import TensorFlowLite

struct QuantizationTests {
    private func tensor<Element: TensorElement>(
        _ type: Tensor.DataType, _ values: [Element], shape: Tensor.Shape? = nil,
        _ whole: QuantizationParameters? = nil, channels: PerChannelQuantization? = nil
    ) throws -> Tensor {
        let shape = shape ?? [values.count]
        let data = try Tensor.Description(name: "", dataType: type, shape: shape).data(of: values)
        return Tensor(
            name: "", dataType: type, shape: shape, data: data, quantizationParameters: whole,
            perChannelQuantization: channels)
    }

    /// The text of a `tensorFlowLiteError`; anything else is an issue.
    private func reason(_ body: () throws -> Void) -> String {
        let error = #expect(throws: InterpreterError.self) { try body() }
        guard case .tensorFlowLiteError(let text)? = error else {
            Issue.record("no reason in \(error as Any)")
            return ""
        }
        return text
    }

    private let half = QuantizationParameters(scale: 0.5, zeroPoint: 3)

    @Test func dequantizesEveryIntegerType() throws {
        #expect(try tensor(.int8, [Int8.min, 3, .max], half).dequantizedValues() == [-65.5, 0, 62])
        #expect(try tensor(.uInt8, [UInt8(0), 3, 255], half).dequantizedValues() == [-1.5, 0, 126])
        #expect(try tensor(.int16, [Int16.min, .max], half).dequantizedValues() == [-16385.5, 16382])
        #expect(try tensor(.uInt16, [UInt16.min, .max], half).dequantizedValues() == [-1.5, 32766])
        #expect(try tensor(.int32, [Int32(1 << 24) + 2], half).dequantizedValues() == [8_388_607.5])
        #expect(try tensor(.uInt32, [UInt32.max - 252], half).dequantizedValues() == [2_147_483_520])
        #expect(try tensor(.int4, [Int8(-8), 7, 3], half).dequantizedValues() == [-5.5, 2, 0])
    }

    @Test func takesFloatsAsTheyAre() throws {
        #expect(try tensor(.float16, [Float16(1.5)], half).dequantizedValues() == [1.5])
        #expect(try tensor(.float32, [Float(1.5), .infinity]).dequantizedValues() == [1.5, .infinity])
        #expect(try tensor(.float64, [1.5, 1e300]).dequantizedValues() == [1.5, .infinity])
        for type in [Tensor.DataType.float16, .float32, .float64] {
            let description = Tensor.Description(name: "", dataType: type, shape: [2])
            let data = try description.data(quantizing: [1.5, -2])
            #expect(
                try Tensor(name: "", dataType: type, shape: [2], data: data).dequantizedValues() == [1.5, -2])
        }
    }

    @Test(
        arguments: [
            (0, [-10, 0, 10, 20, 30, 40, 400, 500, 600, 700, 800, 900]),
            (1, [-10, 0, 0, 100, 1000, 2000, 50, 60, 600, 700, 7000, 8000]),
            (2, [-10, -100, 10, 100, 30, 300, 50, 500, 70, 700, 90, 900]),
        ] as [(Int, [Float])])
    func knowsTheChannelsOfEveryDimension(dimension: Int, reals: [Float]) throws {
        let shape: Tensor.Shape = [2, 3, 2]
        let count = shape.dimensions[dimension]
        let channels = PerChannelQuantization(
            scales: Array([10, 100, 1000].prefix(count)), zeroPoints: Array([1, 2, 3].prefix(count)),
            dimension: dimension)
        let int8 = try tensor(.int8, (0..<12).map(Int8.init), shape: shape, channels: channels)
        #expect(try int8.dequantizedValues() == reals)
        #expect(try int8.summary.data(quantizing: reals) == int8.data)
        let int32 = try tensor(.int32, (0..<12).map(Int32.init), shape: shape, channels: channels)
        #expect(try int32.dequantizedValues() == reals)
        #expect(try int32.summary.data(quantizing: reals) == int32.data)
    }

    @Test func knowsTheChannelsOfPackedElements() throws {
        let channels = PerChannelQuantization(scales: [1, 2, 4], zeroPoints: [0, 1, -1], dimension: 0)
        let tensor = try tensor(.int4, [Int8(-8), 7, 3], channels: channels)
        #expect(try tensor.dequantizedValues() == [-8, 12, 16])
        #expect(try tensor.summary.data(quantizing: [-9, 12, 16]) == tensor.data)
    }

    @Test func refusesWhatHasNoRealNumbers() throws {
        let types: [Tensor.DataType] = [.bool, .int64, .uInt64, .complex64, .complex128, .string]
        for type in types {
            let description = Tensor.Description(name: "", dataType: type, shape: [1], quantizationParameters: half)
            let data = Data(count: description.shape.byteCount(of: type) ?? 8)
            let tensor = Tensor(
                name: "", dataType: type, shape: [1], data: data, quantizationParameters: half)
            #expect(throws: InterpreterError.invalidTensorDataType) { try tensor.dequantizedValues() }
            #expect(throws: InterpreterError.invalidTensorDataType) { try description.data(quantizing: [1]) }
        }
    }

    @Test func saysThatPlainIntegersAreNotQuantized() throws {
        let count = try tensor(.int32, [Int32(7)])
        #expect(reason { _ = try count.dequantizedValues() }.contains("not quantized: its int32 values"))
        #expect(reason { _ = try count.summary.data(quantizing: [7]) }.contains("not quantized"))
    }

    @Test func refusesChannelsThatDoNotFit() throws {
        let values = [Int8](repeating: 1, count: 6)
        for (scales, zeroPoints, dimension) in [
            ([1, 1], [0, 0], 1), ([1, 1, 1], [0, 0], 1), ([1, 1], [0, 0], 2), ([1, 1], [0, 0], -1), ([], [], 0),
        ] as [([Float], [Int], Int)] {
            let channels = PerChannelQuantization(scales: scales, zeroPoints: zeroPoints, dimension: dimension)
            let tensor = try tensor(.int8, values, shape: [2, 3], channels: channels)
            #expect(reason { _ = try tensor.dequantizedValues() }.contains("do not fit its shape [2, 3]"))
            let reals = [Float](repeating: 1, count: 6)
            #expect(reason { _ = try tensor.summary.data(quantizing: reals) }.contains("do not fit"))
        }
    }

    @Test func roundsHalvesAwayFromZero() throws {
        let description = Tensor.Description(
            name: "", dataType: .int8, shape: [8],
            quantizationParameters: QuantizationParameters(scale: 2, zeroPoint: 0))
        let data = try description.data(quantizing: [1, 3, -1, -3, 0.99, -0.99, 5, -0])
        #expect([UInt8](data).map { Int8(bitPattern: $0) } == [1, 2, -1, -2, 0, 0, 3, 0])
    }

    @Test func saturates() throws {
        func ends<Element: TensorElement & FixedWidthInteger>(_ type: Tensor.DataType, _: Element.Type) throws
            -> [Element]
        {
            let reals: [Float] = [-.infinity, -.greatestFiniteMagnitude, .greatestFiniteMagnitude, .infinity]
            let description = Tensor.Description(
                name: "", dataType: type, shape: [4],
                quantizationParameters: QuantizationParameters(scale: 1e-30, zeroPoint: 3))
            let data = try description.data(quantizing: reals)
            return try Tensor(name: "", dataType: type, shape: [4], data: data).values()
        }
        #expect(try ends(.int8, Int8.self) == [.min, .min, .max, .max])
        #expect(try ends(.uInt8, UInt8.self) == [.min, .min, .max, .max])
        #expect(try ends(.int16, Int16.self) == [.min, .min, .max, .max])
        #expect(try ends(.uInt16, UInt16.self) == [.min, .min, .max, .max])
        #expect(try ends(.int32, Int32.self) == [.min, .min, .max, .max])
        #expect(try ends(.uInt32, UInt32.self) == [.min, .min, .max, .max])
        #expect(try ends(.int4, Int8.self) == [-8, -8, 7, 7])
    }

    @Test func namesTheFirstValueThatIsNotANumber() {
        let description = Tensor.Description(name: "", dataType: .uInt8, shape: [3], quantizationParameters: half)
        #expect(reason { _ = try description.data(quantizing: [1, .nan, .nan]) }.contains("Value 1 "))
    }

    @Test func survivesAbsurdParameters() throws {
        for scale in [0, -1, .infinity, .nan, .leastNonzeroMagnitude] as [Float] {
            for zeroPoint in [Int.min, .max] {
                let absurd = QuantizationParameters(scale: scale, zeroPoint: zeroPoint)
                let tensor = try tensor(.int32, [Int32.min, 0, .max], absurd)
                #expect(try tensor.dequantizedValues().count == 3)
                _ = try? tensor.summary.data(quantizing: [0, 1, -.infinity])
            }
        }
    }

    @Test func countsValues() {
        let bytes = Tensor.Description(name: "", dataType: .int16, shape: [3], quantizationParameters: half)
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 4, required: 6)) {
            try bytes.data(quantizing: [1, 2])
        }
        let nibbles = Tensor.Description(name: "", dataType: .int4, shape: [4], quantizationParameters: half)
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 3, required: 4)) {
            try nibbles.data(quantizing: [1, 2, 3])
        }
    }
}
