import HearthArguments
import Testing

@Suite struct TextTableTests {
    @Test func textIsLeftAlignedAndNumbersRight() {
        var table = TextTable(["NAME", .number("SIZE"), "STATE"])
        table.append(["mobilenet", "3491", "published"])
        table.append(["cat", "12", ""])
        #expect(
            table.description == """
                NAME       SIZE  STATE
                mobilenet  3491  published
                cat          12
                """)
    }

    @Test func wideAndCombiningCharactersKeepTheColumnsStraight() {
        var table = TextTable(["A", "B"])
        for name in ["猫", "e\u{301}e", "👩‍🔧", "ab"] { table.append([name, "|"]) }
        #expect(table.description == "A   B\n猫  |\ne\u{301}e  |\n👩‍🔧  |\nab  |")
    }

    @Test func rowsOfTheWrongLengthAreFilledOrCut() {
        var table = TextTable(["A", "B"])
        table.append([])
        table.append(["1", "2", "3"])
        #expect(table.description == "A  B\n\n1  2")
    }

    @Test func cellsCannotBreakTheTable() {
        var table = TextTable(["A", "B"])
        table.append(["x\r\ny\u{1B}[2J", "z"])
        #expect(table.description == "A        B\nx y\u{FFFD}[2J  z")
    }

    @Test func anEmptyTableIsItsHeader() {
        let table = TextTable(["A", .number("B")])
        #expect(table.isEmpty)
        #expect(table.description == "A  B")
        #expect(TextTable([]).description == "" && TextTable([]).text(width: 10) == "")
    }
}
