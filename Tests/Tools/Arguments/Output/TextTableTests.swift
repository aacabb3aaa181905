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

/// What becomes of a table on a narrow terminal.
@Suite struct TableLayoutTests {
    private func table(_ note: String = "", by: String = "admin") -> TextTable {
        var table = TextTable([
            "NAME", .number("SIZE"), .text("HASH", dropOrder: 3), .text("BY", dropOrder: 2),
            .text("NOTE", dropOrder: 1, isTruncatable: true),
        ])
        table.append(["flowers", "12.5 MiB", "0123456789ab", by, note])
        return table
    }

    @Test func aTableThatFitsIsWhole() {
        let table = table("a remark")
        let width = table.description.split(separator: "\n").map(\.count).max() ?? 0
        #expect(table.text(width: width) == table.description)
        #expect(table.text(width: nil) == table.description)
        #expect(table.text(width: width - 1) != table.description)
    }

    @Test func emptyColumnsGoFirst() {
        #expect(
            table("a remark", by: "-").text(width: 42) == """
                NAME         SIZE  HASH          NOTE
                flowers  12.5 MiB  0123456789ab  a remark
                """)
    }

    @Test func thenTextsAreCutOffAndThenTheLeastImportantColumnsGo() {
        let table = table("an operator that is not there")
        #expect(
            table.text(width: 60) == """
                NAME         SIZE  HASH          BY     NOTE
                flowers  12.5 MiB  0123456789ab  admin  an operator that is…
                """)
        #expect(
            table.text(width: 40) == """
                NAME         SIZE  BY     NOTE
                flowers  12.5 MiB  admin  an operator t…
                """)
        #expect(
            table.text(width: 32) == """
                NAME         SIZE  NOTE
                flowers  12.5 MiB  an operator …
                """)
        #expect(table.text(width: 20) == "NAME         SIZE\nflowers  12.5 MiB")
    }

    @Test func theLongestTextsGiveWayFirst() {
        var table = TextTable([.text("A", isTruncatable: true), .text("B", isTruncatable: true)])
        table.append([String(repeating: "a", count: 50), String(repeating: "b", count: 15)])
        let row = table.text(width: 40).split(separator: "\n")[1]
        #expect(row == "\(String(repeating: "a", count: 22))…  \(String(repeating: "b", count: 15))")
    }

    @Test func noLineIsWiderThanTheTerminalWhateverIsInIt() {
        for note in ["", "x", "猫猫猫猫猫猫猫猫猫猫猫猫猫猫", String(repeating: "long ", count: 4000)] {
            for width in 1...100 {
                let lines = table(note).text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == 2)
                for line in lines { #expect(line.count <= width) }
            }
        }
    }
}
