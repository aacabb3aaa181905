import Foundation
import Testing

@testable import TensorFlowLite

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
