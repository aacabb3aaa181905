import Foundation
import TensorFlowLite
import Testing

/// Outputs whose size is known only after the run. The fixtures give the places of the positive numbers.
struct DataSizedOutputTests {
    private func places(_ interpreter: Interpreter, _ input: [Float]) throws -> (shape: Tensor.Shape, places: [Int64]) {
        try interpreter.copy(input, toInputAt: 0)
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        return (output.shape, try output.values())
    }

    @Test func changesTheShapeFromRunToRun() throws {
        let interpreter = try Fixture.where_.allocated()
        for (input, expected) in [
            ([1, 0, 3, 4], [0, 2, 3]), ([1, 1, 1, 1], [0, 1, 2, 3]), ([0, 0, 0, 0], []), ([0, 5, 0, 0], [1]),
        ] as [([Float], [Int64])] {
            let result = try places(interpreter, input)
            #expect(result.shape == [expected.count, 1])
            #expect(result.places == expected)
            #expect(try interpreter.outputDescription(at: 0).shape == [expected.count, 1])
        }
    }

    /// The engine by itself reports success for such a model's first run and writes nothing.
    @Test func runsChainsOfSuchOperators() throws {
        let interpreter = try Fixture.where_of_where.allocated()
        for _ in 0..<2 {
            let result = try places(interpreter, [1, 0, 3, 4])
            #expect(result.shape == [2, 2])
            #expect(result.places == [1, 0, 2, 0])
        }
    }

    /// More than the room that such an output has at first.
    @Test(arguments: [10_000, 1_000_000])
    func makesRoomForWhatComes(count: Int) throws {
        let interpreter = try Fixture.where_.allocated(resizedTo: [count])
        #expect(try places(interpreter, [Float](repeating: 0, count: count)).places == [])
        let result = try places(interpreter, [Float](repeating: 1, count: count))
        #expect(result.shape == [count, 1])
        #expect(result.places.elementsEqual(0..<Int64(count)))
        #expect(try places(interpreter, [Float](repeating: 0, count: count)).places == [])
    }

    @Test func hasNoBytesBeforeTheFirstRun() throws {
        let interpreter = try OriginalFixture.places.allocated()
        #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        #expect(throws: InterpreterError.invokeInterpreterRequired) {
            try interpreter.withUnsafeOutputBytes(at: 0) { _ in }
        }
        try interpreter.copy([true, false, true, true], toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values() == [Int64(0), 2, 3])
    }

    @Test func hasNoBytesBeforeTheFirstRunOfItsSignature() throws {
        let runner = try OriginalFixture.places.interpreter().signatureRunner(with: "places")
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.output(named: "y") }
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
            try runner.withUnsafeOutputBytes(named: "y") { _ in }
        }
        try runner.copy([false, true, false, false], toInputNamed: "x")
        try runner.invoke(with: [:])
        #expect(try runner.output(named: "y").values() == [Int64(1)])
        #expect(try runner.outputDescription(named: "y").shape == [1, 1])
    }

    @Test func keepsRunningAfterAResize() throws {
        let interpreter = try Fixture.where_.allocated()
        #expect(try places(interpreter, [1, 0, 3, 4]).places == [0, 2, 3])
        try interpreter.resizeInput(at: 0, to: [6])
        try interpreter.allocateTensors()
        #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        #expect(try places(interpreter, [0, 0, 0, 0, 0, 1]).places == [5])
    }

    /// The file states one row, and XNNPACK computes the output. The engine by itself writes past its end.
    @Test(arguments: [(SizeFixture.segments, 4), (.many_segments, 2048)])
    func sumsAsManySegmentsAsThereAre(fixture: SizeFixture, count: Int) throws {
        let interpreter = try fixture.allocated()
        for factor in [Float(1), 2] {
            let input = (0..<count * 8).map { factor * Float($0 % 100) }
            let result = try interpreter.run(input)
            #expect(try interpreter.output(at: 0).shape == [count, 8])
            #expect(zip(result, input).allSatisfy { abs($0 - exp($1 / 100)) < 1e-4 })
        }
    }

    /// The number to find is constant, but the number of rows is open, so the engine waits for the run.
    @Test(arguments: [1, 3, 1000])
    func findsTheLargestOfAnyNumberOfRows(count: Int) throws {
        let interpreter = try SizeFixture.top_two.allocated(resizedTo: [count, 5])
        for _ in 0..<2 {
            let rows = (0..<count).map { [Float(0), Float($0 % 7) / 7, -1, 2, 0] }
            let result = try interpreter.run(rows.flatMap(\.self))
            #expect(try interpreter.output(at: 0).shape == [count, 2])
            #expect(zip(result, rows.flatMap { [2, $0[1]] }).allSatisfy { abs($0 - exp($1)) < 1e-4 })
        }
    }

    /// The engine prepares the other operators only after it has found the places.
    @Test(arguments: [4, 1000])
    func sizesWhatDoesNotDependOnTheData(count: Int) throws {
        let interpreter = try SizeFixture.beside_places.allocated(resizedTo: [count])
        for _ in 0..<2 {
            let result = try places(interpreter, (0..<count).map { $0 % 4 == 1 ? 1 : -1 })
            #expect(result.places.elementsEqual(stride(from: 1, to: Int64(count), by: 4)))
            let exponentials: [Float] = try interpreter.output(at: 1).values()
            #expect(exponentials.count == count && exponentials.allSatisfy { abs($0 - exp(1)) < 1e-4 })
            #expect(try interpreter.output(at: 2).values() == [Int32(count)])
        }
    }

    /// No custom operator can receive an output of eight dimensions.
    @Test func bindsWhatItCannotLower() throws {
        let interpreter = try SizeFixture.beside_places_rank_8.allocated()
        try interpreter.copy([Float(3), -2], toInputAt: 1)
        for _ in 0..<2 {
            #expect(try places(interpreter, [1, 0, 3, 4]).places == [0, 2, 3])
            #expect(try interpreter.output(at: 1).values() == [Float(3), 2])
        }
    }
}
