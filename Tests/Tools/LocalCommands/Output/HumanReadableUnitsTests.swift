import Foundation
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

@Suite struct PercentTests {
    @Test func theyLookAsWithPrintf() {
        for share in [0, 0.0004, 0.0625, 0.5, 0.93359375, 0.99951, 1, 12.5, -0.25] as [Float] {
            #expect(Percent.text(share) == String(format: "%5.1f %%", Double(share) * 100))
        }
        #expect(Percent.text(.nan) == "    ? %" && Percent.text(.infinity) == "    ? %")
    }
}
