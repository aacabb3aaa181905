import Testing

@testable import HearthModelFile

/// What the writer writes comes out of the reader, aligned as the format asks.
@Suite struct FlatWriterTests {
    private func read(_ writer: FlatWriter, then old: [UInt8] = []) throws -> FlatTable {
        let bytes = try ModelBytes(copying: writer.bytes + old)
        let file = FlatBuffer(
            bytes: bytes, range: 0..<bytes.count, name: "the test", budget: ReadingBudget(tables: 100, bytes: 1000))
        #expect(file.hasIdentifier("TEST"))
        return try file.root("root")
    }

    @Test func writesEveryKindOfField() throws {
        let writer = FlatWriter(
            .table([
                0: .integer(UInt8(7)), 2: .string("a name"), 3: .integers([-1, 2]), 4: .bytes([9, 8, 7]),
                5: .vector([.table([0: .integer(Int32(-5))]), .table([:])]), 7: .integer(UInt64.max - 1),
                8: .vector([.string("x"), .string("")]),
            ]), identifier: "TEST")
        let table = try read(writer)
        #expect(try table.integer(0) == UInt8(7))
        #expect(try table.integer(1, default: Int32(3)) == 3)
        #expect(try table.string(2, "text") == "a name")
        #expect(try table.integers(3, of: Int32.self, "list") == [-1, 2])
        #expect(try table.byteRange(4, "bytes").map { Array(writer.bytes[$0]) } == [9, 8, 7])
        let tables = try table.tables(5, "tables")
        #expect(try tables.map { try $0.integer(0, default: Int32(1)) } == [-5, 1])
        #expect(try table.integer(7) == UInt64.max - 1)
        #expect(try table.strings(8, "texts") == ["x", ""])
    }

    /// Names of growing length in front move everything through all remainders.
    @Test(arguments: 0..<16) func alignsScalarsAndConstants(length: Int) throws {
        let inner = FlatValue.table([0: .integer(UInt8(1)), 1: .integer(UInt64(2)), 3: .integer(UInt16(3))])
        let writer = FlatWriter(
            .table([
                0: .string(String(repeating: "n", count: length)), 1: inner, 2: .bytes([1]), 3: .integers([1]),
                4: inner,
            ]), identifier: "TEST")
        let table = try read(writer)
        for id in [1, 4] {
            let inner = try #require(try table.table(id, "inner"))
            #expect(try inner.fieldPosition(1, width: 8)?.isMultiple(of: 8) == true)
            #expect(try inner.fieldPosition(3, width: 2)?.isMultiple(of: 2) == true)
            #expect(try table.target(id)?.isMultiple(of: 4) == true)
        }
        #expect(try table.byteRange(2, "bytes")?.lowerBound.isMultiple(of: 16) == true)
        #expect(try table.target(3)?.isMultiple(of: 4) == true)
    }

    @Test func leavesReferencesToExistingBytesOpen() throws {
        let writer = FlatWriter(
            .table([0: .existing(40), 1: .vector([.existing(4), .existing(40)])]), identifier: "TEST")
        #expect(writer.openReferences.map(\.target) == [40, 4, 40])
        #expect(writer.openReferences.allSatisfy { writer.bytes[$0.slot..<$0.slot + 4].allSatisfy { $0 == 0 } })
        #expect(Set(writer.openReferences.map(\.slot)).count == 3)
    }
}
