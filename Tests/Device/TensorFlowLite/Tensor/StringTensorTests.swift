import Foundation
import Testing

@testable import TensorFlowLite

/// String tensors against bytes written down by hand, and against damaged ones.
struct StringTensorCodingTests {
    private static let greeting: [UInt8] =
        [2, 0, 0, 0, 16, 0, 0, 0, 18, 0, 0, 0, 21, 0, 0, 0] + Array("hi".utf8) + [0xE2, 0x82, 0xAC]

    private func tensor(_ bytes: [UInt8], count: Int) -> Tensor {
        Tensor(name: "text", dataType: .string, shape: [count], data: Data(bytes))
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

    @Test func codesText() throws {
        let tensor = tensor(Self.greeting, count: 2)
        #expect(try tensor.values() == ["hi", "€"])
        #expect(try tensor.values(as: Data.self) == [Data("hi".utf8), Data("€".utf8)])
        #expect(try tensor.summary.data(of: ["hi", "€"]) == Data(Self.greeting))
        #expect(try tensor.summary.data(of: [Data("hi".utf8), Data("€".utf8)]) == Data(Self.greeting))
    }

    @Test(arguments: [[], [""], ["", ""], ["a\0b", "", "日本語", "👩‍👩‍👧"], [String(repeating: "x", count: 100_000)]])
    func returnsWhatItWasGiven(strings: [String]) throws {
        let description = Tensor.Description(name: "", dataType: .string, shape: [strings.count])
        let data = try description.data(of: strings)
        #expect(try tensor([UInt8](data), count: strings.count).values() == strings)
    }

    @Test func keepsBytesThatAreNoText() throws {
        let strings = [Data([0xFF, 0x00]), Data(), Data([0xC0]).dropFirst(0)]
        let description = Tensor.Description(name: "", dataType: .string, shape: [3])
        let tensor = tensor([UInt8](try description.data(of: strings)), count: 3)
        #expect(try tensor.values() == strings)
        let text = reason { _ = try tensor.values(as: String.self) }
        #expect(text.contains("String 0") && text.contains("Data.self"), "\(text)")
    }

    @Test func readsASliceAndIgnoresWhatFollows() throws {
        let data = (Data([9]) + Data(Self.greeting) + Data([1, 2, 3])).dropFirst()
        let tensor = Tensor(name: "", dataType: .string, shape: [1, 2], data: data)
        #expect(try tensor.values() == ["hi", "€"])
        #expect(try tensor.values(as: Data.self).map(\.count) == [2, 3])
    }

    @Test func holdsAsManyStringsAsItsShape() throws {
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 2, required: 3)) {
            try tensor(Self.greeting, count: 3).values(as: String.self)
        }
        let description = Tensor.Description(name: "", dataType: .string, shape: [2])
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 1, required: 2)) {
            try description.data(of: ["one"])
        }
        #expect(try tensor([UInt8](repeating: 0, count: 8), count: 0).values() == [String]())
    }

    @Test(
        arguments: [
            [], [1], [1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0, 12, 0, 0, 0], [255, 255, 255, 255],
            [255, 255, 255, 127, 12, 0, 0, 0, 12, 0, 0, 0], [0, 0, 0, 128, 12, 0, 0, 0, 12, 0, 0, 0],
            // The first begins inside the offsets, before the data, behind it.
            [1, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0], [1, 0, 0, 0, 255, 255, 255, 255, 12, 0, 0, 0],
            [1, 0, 0, 0, 13, 0, 0, 0, 13, 0, 0, 0],
            // It ends before it begins, behind the data, at the largest number.
            [1, 0, 0, 0, 13, 0, 0, 0, 12, 0, 0, 0, 65], [1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 65],
            [1, 0, 0, 0, 12, 0, 0, 0, 255, 255, 255, 127, 65],
        ] as [[UInt8]])
    func refusesDamagedOffsets(bytes: [UInt8]) {
        let text = reason { _ = try tensor(bytes, count: 1).values(as: Data.self) }
        #expect(text.contains("damaged"), "\(text)")
        #expect(reason { _ = try tensor(bytes, count: 1).values(as: String.self) } == text)
    }

    /// Every byte of a sound tensor changed to every value, and every length: an error or strings, never a trap.
    @Test func survivesAnyDamage() {
        for place in Self.greeting.indices {
            for value in UInt8.min...UInt8.max {
                var bytes = Self.greeting
                bytes[place] = value
                _ = try? tensor(bytes, count: 2).values(as: String.self)
                _ = try? tensor(bytes, count: 2).values(as: Data.self)
            }
        }
        for length in Self.greeting.indices {
            #expect(throws: InterpreterError.self) {
                try tensor(Array(Self.greeting.prefix(length)), count: 2).values(as: Data.self)
            }
        }
    }
}

/// `strings.tflite` passes a string tensor through as output 1, beside a float one that it doubles.
struct StringTensorTests {
    /// The last one is longer than the room that an output of strings has at first.
    @Test func passesStringsThrough() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(try interpreter.inputDescription(at: 1).dataType == .string)
        for text in ["hello", "", "三 – drei", String(repeating: "long ", count: 1_000_000)] {
            let input = try interpreter.copy([text], toInputAt: 1)
            #expect(try input.values(as: String.self) == [text])
            try interpreter.invoke()
            #expect(try interpreter.output(at: 1).values(as: String.self) == [text])
        }
    }

    @Test func beginsWithEmptyStrings() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(try interpreter.input(at: 1).values(as: String.self) == [""])
        try interpreter.copy([Float(2)], toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values(as: Float.self) == [4])
        #expect(try interpreter.output(at: 1).values(as: String.self) == [""])
    }

    @Test func resizesStrings() throws {
        let interpreter = try Fixture.strings.interpreter()
        try interpreter.resizeInput(at: 1, to: [3])
        try interpreter.allocateTensors()
        try interpreter.copy(["a", "bc", ""], toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 1).shape == [3])
        #expect(try interpreter.output(at: 1).values(as: String.self) == ["a", "bc", ""])
    }

    @Test func wantsAsManyStringsAsTheShapeSays() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 2, required: 1)) {
            try interpreter.copy(["a", "b"], toInputAt: 1)
        }
        #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy([Float(1)], toInputAt: 1) }
        #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy(["1"], toInputAt: 0) }
    }

    /// Offsets that lead outside must not reach the engine, which would follow them.
    @Test(
        arguments: [
            [], [1], [1, 12], [1, 12, 999], [1, 12, -1], [1, 4, 12], [-1, 8], [.max, 12, 12], [1, 13, 12],
        ] as [[Int32]])
    func refusesDamagedStrings(words: [Int32]) throws {
        let interpreter = try Fixture.strings.allocated()
        try interpreter.copy(["kept"], toInputAt: 1)
        #expect(throws: InterpreterError.self) { try interpreter.copy(Data(elements: words), toInputAt: 1) }
        #expect(try interpreter.input(at: 1).values(as: String.self) == ["kept"])
    }

    @Test func doesNotLendTheMemoryOfStringsForWriting() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(throws: InterpreterError.invalidTensorDataType) {
            try interpreter.withUnsafeMutableInputBytes(at: 1) { _ in }
        }
        #expect(try interpreter.withUnsafeOutputBytes(at: 1) { $0.count } == 12)
    }

    @Test func wantsAllocation() throws {
        let interpreter = try Fixture.strings.interpreter()
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.copy(["a"], toInputAt: 1) }
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 1) }
    }
}
