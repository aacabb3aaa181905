import Testing

@testable import HearthArguments

@Suite struct HelpColumnsTests {
    @Test func theEnvironmentDecidesTheWidthWithinReason() {
        #expect(HelpColumns.resolve(nil, environment: [:]) == 80)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "120"]) == 120)
        #expect(HelpColumns.resolve(100, environment: ["COLUMNS": "120"]) == 100)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "3"]) == 40)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "wide"]) == 80)
    }
}
