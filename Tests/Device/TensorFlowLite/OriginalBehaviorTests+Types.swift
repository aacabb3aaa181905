import Foundation
import Testing

@testable import TensorFlowLite

extension OriginalBehaviorTests {
    struct TensorDeclarations {
        private func tensor(
            name: String = "x", dataType: Tensor.DataType = .uInt8, shape: Tensor.Shape = [2],
            data: Data = Data([1, 2]), quantizationParameters: QuantizationParameters? = nil
        ) -> Tensor {
            Tensor(
                name: name, dataType: dataType, shape: shape, data: data, quantizationParameters: quantizationParameters
            )
        }

        @Test func tensorsAreMadeWithTheOriginalsInitializer() {
            let made = Tensor(name: "x", dataType: .uInt8, shape: [2], data: Data([1, 2]))
            #expect(made.name == "x")
            #expect(made.dataType == .uInt8)
            #expect(made.shape == [2])
            #expect(made.data == Data([1, 2]))
            #expect(made.quantizationParameters == nil)
        }

        @Test func tensorsAreEqualAndHashableByEveryPart() {
            let half = QuantizationParameters(scale: 0.5, zeroPoint: 0)
            let different = [
                tensor(), tensor(name: "y"), tensor(dataType: .bool), tensor(shape: [1, 2]),
                tensor(data: Data([1, 3])),
                tensor(quantizationParameters: half),
            ]
            #expect(tensor() == tensor())
            #expect(Set(different + different).count == different.count)
        }

        @Test func dataIsACopy() throws {
            let interpreter = try Fixture.add_batch.allocated()
            let input = try interpreter.copy(Data(elements: [Float(1), 3]), toInputAt: 0)
            try interpreter.invoke()
            let output = try interpreter.output(at: 0)
            _ = try interpreter.run([Float(7), 8])
            #expect(input.data == Data(elements: [Float(1), 3]))
            #expect(output.data == Data(elements: [Float(3), 9]))
        }

        /// The original's eight cases. int8, which it lacks, and the others beside them let their models run.
        @Test func dataTypesAreEqualAndHashable() {
            let original: [Tensor.DataType] = [.bool, .uInt8, .int16, .int32, .int64, .float16, .float32, .float64]
            let added: [Tensor.DataType] = [.int8, .uInt16, .uInt32, .uInt64, .int4, .complex64, .complex128, .string]
            #expect(Set(original + added + original).count == 16)
        }

        @Test func shapesAreMadeInThreeWays() {
            let fromArray = Tensor.Shape([2, 2, 3])
            #expect(fromArray == Tensor.Shape(2, 2, 3))
            #expect(fromArray == [2, 2, 3])
            #expect(fromArray.rank == 3)
            #expect(fromArray.dimensions == [2, 2, 3])
            let scalar: Tensor.Shape = []
            #expect(scalar.rank == 0 && scalar.dimensions.isEmpty)
        }

        @Test func shapesAreEqualAndHashable() {
            #expect(Tensor.Shape(2, 3) != [3, 2])
            #expect(Tensor.Shape(1) != [])
            #expect(Set([Tensor.Shape(1), [1], [1, 1], []]).count == 3)
        }

        @Test func quantizationParametersAreEqualAndHashable() {
            let half = QuantizationParameters(scale: 0.5, zeroPoint: 1)
            #expect(half == QuantizationParameters(scale: 0.5, zeroPoint: 1))
            #expect(Set([half, half, .init(scale: 0.5, zeroPoint: 2), .init(scale: 1, zeroPoint: 1)]).count == 3)
            #expect(half.scale == 0.5 && half.zeroPoint == 1)
        }

        /// Per-channel parameters have a property of their own. A scale of zero, which the original turns into nil, makes a
        /// model one that is not loaded.
        @Test func quantizationParametersAreNilUnlessTheTensorIsQuantizedAsAWhole() throws {
            #expect(try Fixture.add.interpreter().inputDescription(at: 0).quantizationParameters == nil)
            #expect(try Fixture.add_int8.interpreter().inputDescription(at: 0).quantizationParameters?.zeroPoint == -3)
            let channels = try Fixture.per_channel.allocated().input(at: 0)
            #expect(channels.quantizationParameters == nil && channels.perChannelQuantization != nil)
        }

        @Test func versionLooksLikeAVersion() {
            #expect(TensorFlowLite.Runtime.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        }
    }
}

extension OriginalBehaviorTests {
    struct OptionsDeclarations {
        @Test func beginWithTheOriginalsDefaults() {
            let options = Interpreter.Options()
            #expect(options.threadCount == nil)
            #expect(options.isXNNPackEnabled == false)
        }

        @Test func areEqualAndHashableByValue() {
            let two = Interpreter.Options.with { $0.threadCount = 2 }
            #expect(two == .with { $0.threadCount = 2 })
            #expect(two != Interpreter.Options())
            #expect(Set([two, two, .with { $0.isXNNPackEnabled = true }, .init()]).count == 3)
        }

        @Test(arguments: [nil, 0, -1, .min] as [Int?])
        func threadCountOfZeroOrLessIsIgnored(threadCount: Int?) {
            #expect(CompileOptions.threads(threadCount) == 1)
        }

        @Test func threadCountIsTheNumberOfThreads() {
            let processors = ProcessInfo.processInfo.activeProcessorCount
            #expect((1...processors).map { CompileOptions.threads($0) } == Array(1...processors))
            #expect(CompileOptions.threads(.max) == processors)
        }

        @available(*, deprecated, message: "Uses the deprecated name.")
        @Test func haveTheirFormerName() {
            var options = InterpreterOptions()
            options.threadCount = 2
            #expect(options == Interpreter.Options.with { $0.threadCount = 2 })
        }
    }
}
