import Foundation
import HearthDrawing
import Testing

@testable import HearthLocalCommands

@Suite struct DurationUnitTests {
    @Test(arguments: [
        (Duration.zero, "0.00 us"), (.nanoseconds(1), "0.00 us"), (.nanoseconds(999_999), "1000.00 us"),
        (.milliseconds(1), "1.00 ms"), (.microseconds(12_345), "12.35 ms"), (.seconds(1), "1.00 s"),
        (.seconds(90), "90.00 s"),
    ])
    func theUnitFits(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test func oneUnitForSeveralTimes() {
        let unit = DurationUnit(fitting: .milliseconds(2))
        #expect(unit.text(.microseconds(40)) == "0.04 ms")
        #expect(unit.text(.seconds(3)) == "3000.00 ms")
    }

    @Test func programsGetNanoseconds() {
        #expect(Duration(secondsComponent: 2, attosecondsComponent: 3_999_999_999).nanoseconds == 2_000_000_003)
    }
}

@Suite struct ConfidenceTests {
    @Test func theyLookAsWithPrintf() {
        for share in [0, 0.0004, 0.0625, 0.5, 0.93359375, 0.99951, 1, 12.5, -0.25] as [Float] {
            #expect(ConfidenceForm.percent.text(share) == String(format: "%5.1f %%", Double(share) * 100))
        }
        for score in [0, 0.05, -0.05, 8.15, 13.708, -2.5, 1404.02, 123_456.78] as [Float] {
            #expect(ConfidenceForm.number.text(score) == String(format: "%7.2f", Double(score)))
        }
        for form in [ConfidenceForm.percent, .number] {
            #expect(form.text(.nan).hasPrefix("    ?") || form.text(.nan) == "      ?")
            #expect(form.text(.infinity) == form.text(.nan) && form.text(1e30) == form.text(.nan))
        }
    }

    @Test(
        arguments: [
            ([], .percent), ([0, 1], .percent), ([-0.004, 1.004], .percent), ([0.5, .nan, .infinity], .percent),
            ([0.5, 1.1], .number), ([0.5, -0.1], .number), ([8.15], .number),
        ] as [([Float], ConfidenceForm)])
    func onlySharesArePercentages(scores: [Float], form: ConfidenceForm) {
        #expect(ConfidenceForm(for: scores) == form)
    }

    @Test func aTableHasOneFormForAll() {
        let shares = ConfidenceCells([0.719, 0.5])
        #expect(shares.text(0.719) == "71.9%" && shares.change(-0.015) == "-1.5 points")
        let logits = ConfidenceCells([8.15, 0.5])
        #expect(logits.text(0.5) == "0.50" && logits.change(-0.015) == "-0.01" || logits.change(-0.015) == "-0.02")
    }
}
