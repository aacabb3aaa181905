import Testing

@testable import HearthLocalCommands

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
