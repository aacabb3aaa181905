import HearthHTTP
import Testing

@testable import HearthServer

/// How many connections fit into the files that a process may open.
struct DescriptorBudgetTests {
    private func budget(_ connections: Int, threads: Int = 2, soft: Int?) -> DescriptorBudget {
        DescriptorBudget(
            connections: connections, threads: threads, limit: OpenFileLimit(soft: soft, hard: soft))
    }

    @Test func enoughFilesLeaveTheSettingAsItIs() {
        let needed = DescriptorBudget.needed(connections: 2048, threads: 2)
        #expect(needed == 2 * 2048 + 128 + 256 + 4)
        #expect(budget(2048, soft: needed).connections == 2048)
        #expect(budget(2048, soft: needed).note == nil)
        #expect(budget(2048, soft: nil).connections == 2048)
    }

    @Test func oneFileTooFewCostsAConnectionAndIsReported() throws {
        let needed = DescriptorBudget.needed(connections: 2048, threads: 2)
        let budget = budget(2048, soft: needed - 1)
        #expect(budget.connections == 2047)
        let note = try #require(budget.note)
        #expect(note.contains("2047 connections, not 2048") && note.contains("\(needed)"))
        #expect(!note.contains("\n"))
    }

    @Test(arguments: [(1024, 318), (512, 128), (64, 16), (8, 2), (1, 2)])
    func smallLimitsLeaveSomethingForFilesAndForPeers(soft: Int, connections: Int) {
        let budget = budget(2048, soft: soft)
        #expect(budget.connections == connections)
        #expect(budget.note != nil)
    }

    @Test func theLimitIsRaisedAsFarAsIsNeededAndAllowed() {
        var limits = ServerLimits()
        limits.connections = 1000
        limits.threads = 4
        let needed = DescriptorBudget.needed(connections: 1000, threads: 4)
        #expect(OpenFileLimit(soft: 256, hard: 20_000).soft(for: limits) == needed)
        #expect(OpenFileLimit(soft: 256, hard: nil).soft(for: limits) == needed)
        #expect(OpenFileLimit(soft: 256, hard: needed - 1).soft(for: limits) == needed - 1)
        #expect(OpenFileLimit(soft: 20_000, hard: 20_000).soft(for: limits) == 20_000, "it is never lowered")
        #expect(OpenFileLimit(soft: nil, hard: nil).soft(for: limits) == nil)
    }
}
