import Testing

@testable import HearthArguments

@Suite struct TextWrappingTests {
    @Test func laterLinesAreIndentedFurther() {
        let text = "one two three four five six seven eight nine ten"
        #expect(
            text.wrapped(to: 40, indent: 2, laterIndent: 4) == "  one two three four five six seven\n    eight nine ten"
        )
        #expect(text.wrapped(to: nil, indent: 2, laterIndent: 4) == "  " + text)
        #expect("".wrapped(to: 40, indent: 0, laterIndent: 0) == "")
    }

    @Test(arguments: [-1, 0, 1, 39]) func aNarrowTerminalGetsLongerLines(width: Int) {
        #expect("one two three four".wrapped(to: width, indent: 2, laterIndent: 4) == "  one two three four")
    }
}
