import Testing

@testable import HearthLocalCommands

@Suite struct LatencySummaryTests {
    private func summary(milliseconds: [Int]) throws -> LatencySummary {
        try #require(LatencySummary(milliseconds.map { .milliseconds($0) }))
    }

    @Test func nothingHasNoSummary() {
        #expect(LatencySummary([]) == nil)
    }

    @Test func oneSampleIsEverything() throws {
        let one = try summary(milliseconds: [7])
        #expect(one.count == 1)
        for value in [one.minimum, one.median, one.p90, one.p99, one.maximum, one.mean] {
            #expect(value == .milliseconds(7))
        }
    }

    /// Nearest-rank: the median of two is the smaller one, never a value in between that no run took.
    @Test func ofTwoSamplesTheSmallerIsTheMedian() throws {
        let two = try summary(milliseconds: [30, 10])
        #expect(two.minimum == .milliseconds(10) && two.median == .milliseconds(10))
        #expect(two.p90 == .milliseconds(30) && two.p99 == .milliseconds(30) && two.maximum == .milliseconds(30))
        #expect(two.mean == .milliseconds(20))
    }

    @Test func tiesCountEach() throws {
        let tied = try summary(milliseconds: [5, 1, 5, 5, 5, 5, 5, 5, 5, 9])
        #expect(tied.minimum == .milliseconds(1) && tied.median == .milliseconds(5))
        #expect(tied.p90 == .milliseconds(5) && tied.p99 == .milliseconds(9))
        #expect(tied.mean == .milliseconds(5))
    }

    @Test func ofTwentySamplesTheNinetyNinthPercentileIsTheSlowest() throws {
        let twenty = try summary(milliseconds: (1...20).reversed().map { $0 })
        #expect(twenty.median == .milliseconds(10) && twenty.p90 == .milliseconds(18))
        #expect(twenty.p99 == .milliseconds(20) && twenty.maximum == .milliseconds(20))
    }

    @Test func ofAThousandSamplesEachRankIsItsOwn() throws {
        let thousand = try summary(milliseconds: Array(1...1000).shuffled())
        #expect(thousand.median == .milliseconds(500) && thousand.p90 == .milliseconds(900))
        #expect(thousand.p99 == .milliseconds(990) && thousand.maximum == .milliseconds(1000))
        #expect(thousand.mean == .microseconds(500_500))
    }
}

@Suite struct BenchProfileTests {
    private func row(_ node: Int, calls: Int, total: Duration) -> BenchProfile.Operator {
        BenchProfile.Operator(name: "OP", node: node, isDelegated: false, calls: calls, total: total)
    }

    @Test func theSlowestComeFirstAndSharesAddUp() {
        let profile = BenchProfile(
            runs: 10,
            operators: [
                row(0, calls: 10, total: .milliseconds(1)), row(1, calls: 10, total: .milliseconds(6)),
                row(2, calls: 20, total: .milliseconds(3)),
            ])
        #expect(profile.operators.map(\.node) == [1, 2, 0])
        #expect(profile.operators.map(profile.share) == [0.6, 0.3, 0.1])
        #expect(profile.operators.map(\.mean) == [.microseconds(600), .microseconds(150), .microseconds(100)])
    }

    @Test func equallySlowOnesKeepTheOrderOfTheGraph() {
        let profile = BenchProfile(runs: 1, operators: [2, 0, 1].map { row($0, calls: 1, total: .milliseconds(1)) })
        #expect(profile.operators.map(\.node) == [0, 1, 2])
    }

    @Test func operatorsThatTookNoTimeHaveNoShare() {
        let profile = BenchProfile(runs: 1, operators: [row(0, calls: 0, total: .zero)])
        #expect(profile.share(of: profile.operators[0]) == 0)
        #expect(profile.operators[0].mean == .zero)
    }
}
