import Foundation
import HearthModelInterpreter
import Testing

/// Each cause that the original's reference names, by code.
@Suite("What a run refuses")
struct RunErrorTests {
    private func expect(
        _ error: NSError?, _ code: MachineLearningErrorDomainCode, _ text: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.machineLearningCode == code, sourceLocation: location)
        #expect(error?.localizedDescription == text, sourceLocation: location)
    }

    @Test("options without input formats, or without output formats")
    func noFormats() async {
        let noInputs = Sample.batch.with { $0.inputFormats = [:] }
        expect(await noInputs.error([[1, 2]]), .invalidArgument, "The options have no input format.")
        let noOutputs = Sample.batch.with { $0.outputFormats = [:] }
        expect(await noOutputs.error([[1, 2]]), .invalidArgument, "The options have no output format.")
    }

    @Test("another number of inputs than the options have formats")
    func inputCount() async {
        let text = "The number of inputs is 0, but that of input formats in the options is 1."
        expect(await Sample.batch.error(), .invalidArgument, text)
        #expect(await Sample.batch.error([[1, 2]], [[1, 2]])?.machineLearningCode == .invalidArgument)
        #expect(await Sample.subtract.error([1, 2])?.machineLearningCode == .invalidArgument)
    }

    @Test("Data of the wrong length, in the original's words")
    func dataLength() async {
        let sample = Sample.batch.with { $0.inputFormats[0]?.dimensions = [1, 320, 240, 3] }
        expect(
            await sample.error(Data(count: 1_228_800)), .invalidArgument,
            "Input 0 should have 921600 bytes, but found 1228800 bytes.")
        for count in [0, 7, 9] {
            #expect(
                await Sample.batch.error(Data(count: count))?.localizedDescription
                    == "Input 0 should have 8 bytes, but found \(count) bytes.")
        }
    }

    @Test("an array of another shape than the options say", arguments: [[[1]], [[1, 2, 3]], [[1, 2], [3, 4]]])
    func arrayShape(array: [[Int]]) async {
        expect(
            await Sample.batch.error(array), .invalidArgument,
            "Input 0 has the shape \([array.count, array[0].count]), but its format says [1, 2].")
    }

    @Test("an array of another depth than the options say")
    func arrayDepth() async {
        let text = "Input 0 has the shape [2], but its format says [1, 2]."
        expect(await Sample.batch.error([1, 2]), .invalidArgument, text)
        #expect(await Sample.batch.error([[[1, 2]]])?.machineLearningCode == .invalidArgument)
    }

    @Test("dimensions that the model does not take, with both shapes")
    func modelShape() async {
        expect(
            await Sample.batch.with(dimensions: [1, 3]).error([[1, 2, 3]]), .invalidArgument,
            "Input 0 is declared with the dimensions [1, 3], but the model's has [-1, 2].")
        expect(
            await Sample.subtract.with(dimensions: [3]).error([1, 2, 3], [1, 2, 3]), .invalidArgument,
            "Input 0 is declared with the dimensions [3], but the model's has [2].")
        expect(
            await Sample.scalar.with(dimensions: [1, 1]).error([[1]], [[1]]), .invalidArgument,
            "Input 0 is declared with the dimensions [1, 1], but the model's has [].")
    }

    @Test("a batch of another size than the model's, with what to do")
    func fixedBatch() async {
        let error = await Sample.image.with(dimensions: [4, 8, 8, 3]).error(Data(count: 4 * 8 * 8 * 3 * 4))
        expect(
            error, .invalidArgument,
            "Input 0 is declared with the dimensions [4, 8, 8, 3], but the model's has [1, 8, 8, 3]. Its batch is fixed: run it "
                + "for one item at a time, or convert the model with an open first dimension.")
    }

    @Test("open dimensions that do not go together, and the interpreter runs on")
    func openShapes() async throws {
        let interpreter = Sample.open.interpreter()
        let uneven = Sample.open.with {
            $0.inputFormats[0]?.dimensions = [2, 2]
            $0.inputFormats[1]?.dimensions = [3, 2]
        }
        let error = await uneven.error([[1, 2], [3, 4]], [[1, 2], [3, 4], [5, 6]], on: interpreter)
        #expect(error?.machineLearningCode == .invalidArgument, "\(error as Any)")
        #expect(error?.localizedDescription.hasPrefix("The model cannot be prepared") == true)
        #expect(try await Sample.open.run([[1, 2]], [[3, 4]], on: interpreter) as? [[Float]] == [[4, 6]])
    }

    @Test("dimensions that the model leaves open but no machine can hold")
    func hugeShape() async {
        let sample = Sample.batch.with(dimensions: [NSNumber(value: 1 << 27), 2])
        expect(
            await sample.error(Data(count: 8)), .invalidArgument,
            "Input 0 should have 1073741824 bytes, but found 8 bytes.")
    }

    @Test("element types that the model does not have")
    func types() async {
        let input = Sample.batch.with { $0.inputFormats[0]?.type = .int32 }
        expect(
            await input.error([[1, 2]]), .invalidArgument,
            "Input 0 is declared as int32, but in the model it has float32 elements.")
        let output = Sample.batch.with { $0.outputFormats[0]?.type = .uInt8 }
        expect(
            await output.error([[1, 2]]), .invalidArgument,
            "Output 0 is declared as uInt8, but in the model it has float32 elements.")
        let int8 = Sample("models/add_int8", .uInt8, [1, 8, 8, 3])
        #expect(await int8.error(Data(count: 192))?.localizedDescription.contains("int8 elements") == true)
        let strings = Sample("models/strings", .float32, [1], inputCount: 2)
        #expect(await strings.error([1], [1])?.localizedDescription.contains("string elements") == true)
    }

    @Test("an output of another shape than the model gives", arguments: [[2], [2, 1], [1, 1, 2], [1, 3]])
    func outputShape(dimensions: [Int]) async {
        let sample = Sample.batch.with { $0.outputFormats[0]?.dimensions = dimensions.map { NSNumber(value: $0) } }
        expect(
            await sample.error([[1, 2]]), .invalidArgument,
            "Output 0 is declared with the dimensions \(dimensions), but the model returned [1, 2].")
    }

    @Test("an output of another size than the data asked for")
    func dataSizedOutput() async throws {
        let sample = Sample("models/where_cast", .float32, [4]).with { $0.outputFormats[0]?.dimensions = [3, 1] }
        #expect(try await sample.run([1, 0, 1, 1]) as? [[Float]] == [[0], [4], [6]])
        #expect(await sample.error([0, 0, 0, 1])?.localizedDescription.contains("the model returned [1, 1]") == true)
        #expect(await sample.error([0, 0, 0, 0])?.localizedDescription.contains("the model returned [0, 1]") == true)
    }

    @Test("indexes that the model does not have", arguments: [1, 2, UInt.max])
    func indexes(index: UInt) async {
        let input = Sample.batch.with {
            $0.inputFormats[index] = $0.inputFormats[0]
            $0.inputFormats[0] = nil
        }
        expect(
            await input.error([[1, 2]]), .outOfRange,
            "The options name input \(index), counted from 0, but the model has only 1 input.")
        let output = Sample.batch.with { $0.outputFormats[index] = $0.outputFormats[0] }
        expect(
            await output.error([[1, 2]]), .outOfRange,
            "The options name output \(index), counted from 0, but the model has only 1 output.")
    }

    @Test("fewer inputs than the model has")
    func missingInput() async {
        let sample = Sample.subtract.with { $0.inputFormats[1] = nil }
        expect(await sample.error([1, 2]), .invalidArgument, "The model takes 2 inputs, but got 1.")
    }

    @Test("a run that the engine gives up, and the interpreter runs on")
    func failedRun() async throws {
        let interpreter = Sample.divide.interpreter()
        let error = await Sample.divide.error([1, 2], [0, 1], on: interpreter)
        #expect(error?.machineLearningCode == .unknown)
        #expect(error?.localizedDescription.hasPrefix("The model returned no output") == true)
        #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
        #expect(try await Sample.divide.run([6, 8], [3, 2], on: interpreter) as? [Int] == [2, 4])
    }

    @Test("a model without outputs")
    func noOutputs() async {
        let sample = Sample("model_interpreter/no_outputs", .float32, [2], inputCount: 2)
        let error = await sample.error([1, 2], [3, 4])
        expect(error, .unknown, "The model has no outputs.")
    }
}
