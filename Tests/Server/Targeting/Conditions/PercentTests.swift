import HearthTargeting
import Testing

struct PercentTests {
    private static let installations = (0..<100_000).map { "f\($0)-installation" }

    private func share(_ condition: String) throws -> Int {
        let condition = try Condition(condition)
        return Self.installations.count {
            condition.holds(for: DeviceFacts(installationID: $0, appID: "a"), nowMicroseconds: 0)
        }
    }

    /// Five standard deviations: a right share falls outside once in two million.
    private func bound(_ fraction: Double) -> Double { 5 * (100_000 * fraction * (1 - fraction)).squareRoot() }

    @Test(arguments: [0.5, 33.3]) func theShareIsWhatWasAskedFor(_ percent: Double) throws {
        let fraction = percent / 100
        for (text, wanted) in [
            ("percent <= \(percent)", fraction), ("percent('seed') <= \(percent)", fraction),
            ("percent > \(percent)", 1 - fraction), ("percent between 0 and \(percent)", fraction),
        ] {
            #expect(abs(Double(try share(text)) - 100_000 * wanted) <= bound(wanted), "\(text)")
        }
    }

    @Test func partsThatTouchShareNobodyAndLeaveNobodyOut() throws {
        let parts = ["percent <= 20", "percent between 20 and 60.5", "percent > 60.5"]
        #expect(try parts.map(share).reduce(0, +) == 100_000)
    }

    @Test func aShareThatGrowsKeepsItsInstallations() throws {
        let (small, large) = (try Condition("percent('s') <= 10"), try Condition("percent('s') <= 20"))
        for id in Self.installations.prefix(20_000) {
            let device = DeviceFacts(installationID: id, appID: "a")
            if small.holds(for: device, nowMicroseconds: 0) { #expect(large.holds(for: device, nowMicroseconds: 1)) }
        }
    }

    @Test func anotherSeedDrawsAnew() throws {
        // Of two independent tenths, a hundredth is in both.
        let both = try share("percent('a') <= 10 && percent('b') <= 10")
        #expect(abs(Double(both) - 1000) <= bound(0.01))
    }

    /// SHA-256 of "seed.some-id" and of "some-id" modulo 100,000,000, computed apart.
    @Test func theBucketIsThatOfTheServerSideSDKs() throws {
        func isIn(_ condition: String) throws -> Bool {
            try Condition(condition).holds(
                for: DeviceFacts(installationID: "some-id", appID: "a"), nowMicroseconds: 0)
        }
        for (call, bucket) in [("percent('seed')", seedBucket), ("percent", plainBucket)] {
            let (below, at) = (Double(bucket - 1) / 1_000_000, Double(bucket) / 1_000_000)
            #expect(try isIn("\(call) <= \(at)"))
            #expect(try !isIn("\(call) <= \(below)"))
            #expect(try isIn("\(call) between \(below) and \(at)"))
        }
    }

    private let seedBucket = 1_418_092
    private let plainBucket = 47_574_220
}
