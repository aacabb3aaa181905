import Testing

@testable import HearthModelFile

@Suite struct OperatorTableTests {
    /// A mistake in a row ends the process, and only where a model has that operator.
    @Test func everyRowCanBeRead() {
        let operators = (0..<256).compactMap(OperatorTable.needs(of:))
        #expect(operators.count == 173, "as many as the tables name")
        #expect(operators.allSatisfy { !$0.isEmpty })
    }
}
