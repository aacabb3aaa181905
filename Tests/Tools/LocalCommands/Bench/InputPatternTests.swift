import HearthModelFile
import Testing

@testable import HearthLocalCommands

@Suite struct InputPatternTests {
    private func filled<Element: BitwiseCopyable>(
        _ type: ElementType, seed: UInt64 = 1, as element: Element.Type, count: Int = 4096
    ) -> [Element] {
        let byteCount = count * MemoryLayout<Element>.stride
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0xEE)
        var pattern = InputPattern(seed: seed)
        pattern.fill(bytes, of: type)
        return Array(bytes.bindMemory(to: Element.self))
    }

    @Test func theSameSeedGivesTheSameValuesAndAnotherDoesNot() {
        let first = filled(.float32, as: Float.self)
        #expect(first == filled(.float32, as: Float.self))
        #expect(first != filled(.float32, seed: 2, as: Float.self))
    }

    @Test func floatsLieBetweenZeroAndOneAndDiffer() {
        for values in [
            filled(.float32, as: Float.self).map(Double.init), filled(.float64, as: Double.self),
            filled(.float16, as: Float16.self).map(Double.init),
        ] {
            #expect(values.allSatisfy { (0..<1).contains($0) })
            #expect(Set(values).count > 500)
            #expect(values.contains { $0 < 0.1 } && values.contains { $0 > 0.9 })
        }
    }

    @Test func narrowIntegersTakeTheirWholeRange() {
        #expect(Set(filled(.uint8, as: UInt8.self)).count == 256)
        #expect(Set(filled(.int8, as: Int8.self)).count == 256)
        let words = filled(.int16, as: Int16.self)
        #expect(words.contains { $0 < -30_000 } && words.contains { $0 > 30_000 })
    }

    @Test func wideIntegersAndBooleansAreZeroOrOne() {
        #expect(Set(filled(.int32, as: Int32.self)) == [0, 1])
        #expect(Set(filled(.int64, as: Int64.self)) == [0, 1])
        #expect(Set(filled(.bool, as: UInt8.self)) == [0, 1])
    }

    @Test func typesWithoutPlainElementsAreZero() {
        #expect(Set(filled(.complex64, as: UInt8.self)) == [0])
    }

    @Test func anEmptyInputIsLeftAlone() {
        #expect(filled(.float32, as: Float.self, count: 0).isEmpty)
    }
}
