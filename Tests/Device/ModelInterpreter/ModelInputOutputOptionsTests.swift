import Foundation
import HearthModelInterpreter
import Testing

@Suite("Formats of inputs and outputs")
struct ModelInputOutputOptionsTests {
    @Test(
        "dimensions that cannot be are refused, with the reason",
        arguments: [
            ([], "empty"),
            ([0], "is 0;"),
            ([1, 0, 3], "is 0;"),
            ([-1], "is -1;"),
            ([NSNumber(value: 1.5)], "is 1.5;"),
            ([NSNumber(value: Double.nan)], "whole number"),
            ([NSNumber(value: Double.infinity)], "whole number"),
            ([NSNumber(value: 1e300)], "whole number"),
            ([NSNumber(value: UInt64.max)], "whole number"),
            ([NSNumber(value: Int64.min)], "whole number"),
            ([NSNumber(value: Int.max)], "2 GiB"),
            ([NSNumber(value: Int.max), NSNumber(value: Int.max)], "2 GiB"),
            ([0x2000_0000], "2 GiB"),
            ([1, 1, 1, 1, 1, 1, 1, 1, 1], "at most 8"),
        ] as [([NSNumber], String)])
    func badDimensions(dimensions: [NSNumber], reason: String) throws {
        let options = ModelInputOutputOptions()
        let errors = [
            failure { try options.setInputFormat(index: 7, type: .float32, dimensions: dimensions) },
            failure { try options.setOutputFormat(index: 7, type: .float32, dimensions: dimensions) },
        ]
        for (error, name) in zip(errors, ["input 7", "output 7"]) {
            let error = try #require(error)
            #expect(error.machineLearningCode == .invalidArgument)
            #expect(error.localizedDescription.contains(reason) && error.localizedDescription.contains(name))
        }
    }

    @Test("the largest formats that can be")
    func largest() throws {
        let options = ModelInputOutputOptions()
        try options.setInputFormat(index: .max, type: .float32, dimensions: [0x1FFF_FFFF])
        try options.setInputFormat(index: 0, type: .uInt8, dimensions: [0x7FFF_FFFF])
        try options.setInputFormat(index: 0, type: .uInt8, dimensions: [1, 1, 1, 1, 1, 1, 1, 2.0])
        #expect(failure { try options.setInputFormat(index: 0, type: .uInt8, dimensions: [0x8000_0000]) } != nil)
    }

    @Test("the unknown type is refused")
    func unknownType() {
        let options = ModelInputOutputOptions()
        let input = failure { try options.setInputFormat(index: 0, type: .unknown, dimensions: [1]) }
        let output = failure { try options.setOutputFormat(index: 0, type: .unknown, dimensions: [1]) }
        #expect(input?.machineLearningCode == .invalidArgument)
        #expect(output?.machineLearningCode == .invalidArgument)
    }

    @Test("types keep the raw values that apps may have stored")
    func rawValues() {
        let types: [ModelElementType] = [.unknown, .float32, .int32, .uInt8, .int64]
        #expect(types.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(ModelElementType(rawValue: 5) == nil)
    }

    @Test("an index that is declared again gets the new format, and a refused one keeps the old")
    func replace() async throws {
        let options = try Sample.batch.with(dimensions: [9, 9]).options()
        try options.setInputFormat(index: 0, type: .float32, dimensions: [1, 2])
        try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 2])
        #expect(failure { try options.setInputFormat(index: 0, type: .float32, dimensions: [0]) } != nil)
        let inputs = ModelInputs()
        try inputs.addInput([[Float(1), 2]])
        let outputs = try await Sample.batch.interpreter().run(inputs: inputs, options: options)
        #expect(try outputs.output(index: 0) as? [[Float]] == [[3, 6]])
    }
}
