import HearthCatalog
import HearthExperiments
import Testing

struct AssignmentTests {
    private func experiment(
        _ name: String, share: Int = Slots.count, weights: [Int] = [1, 1], parameter: String = "model",
        layer: String? = nil
    ) -> Experiment {
        let variants = weights.enumerated().map { index, weight in
            Experiment.Variant(name: "v\(index)", weight: weight, parameters: [parameter: "\(index)"])
        }
        return Experiment(
            projectID: "project-a", name: name, variants: variants, goal: Metric(event: "bought", kind: .conversion),
            shareMillionths: share, layer: layer)
    }

    private func started(_ experiment: Experiment, beside others: [Experiment] = []) throws -> Experiment {
        try ExperimentLifecycle.start(experiment, beside: others, nowMicroseconds: 5)
    }

    private static let installations = (0..<40_000).map { "installation-\($0)" }

    /// Five standard deviations of a share of the installations.
    private func bound(_ share: Double) -> Double { 5 * (40_000 * share * (1 - share)).squareRoot() }

    @Test func sharesAndWeightsAreKept() throws {
        let running = try started(experiment("a", share: 300_000, weights: [1, 2, 7]))
        var counts = [0, 0, 0]
        for id in Self.installations {
            if let index = running.variantIndex(of: id) { counts[index] += 1 }
        }
        for (count, share) in zip(counts, [0.03, 0.06, 0.21]) {
            #expect(abs(Double(count) - 40_000 * share) <= bound(share), "\(counts)")
        }
    }

    @Test func theAssignmentIsAFunctionOfTheInstallation() throws {
        let running = try started(experiment("a", share: 500_000))
        // As a server that was started anew reads it from its database.
        let again = try started(experiment("a", share: 500_000))
        for id in Self.installations.prefix(2000) {
            #expect(running.variantIndex(of: id) == again.variantIndex(of: id))
        }
    }

    /// Known answers, so that an update of the server cannot deal the cards anew unnoticed.
    @Test func theAssignmentIsTheSameInEveryVersionOfTheServer() throws {
        let running = try started(experiment("a", share: 500_000, weights: [1, 1, 1]))
        let found = (0..<12).map { running.variantIndex(of: "installation-\($0)").map(String.init) ?? "-" }
        #expect(found.joined() == "--------0111")
        #expect(Slots.slot(of: "installation-0", project: "project-a") == 541_294)
    }

    @Test func experimentsOnTheSameThingShareNoInstallation() throws {
        let first = try started(experiment("a", share: 400_000))
        let second = try started(experiment("b", share: 600_000), beside: [first])
        #expect(
            Self.installations.allSatisfy {
                (first.variantIndex(of: $0) == nil) != (second.variantIndex(of: $0) == nil)
            })
        let refusal = #expect(throws: CatalogError.self) {
            try started(experiment("c", share: 1), beside: [first, second])
        }
        #expect(
            refusal?.message.hasPrefix("Too few installations are left: 'a', 'b' must share none with 'c'.") == true)
        let freed = try ExperimentLifecycle.stop(first, nowMicroseconds: 9)
        _ = try started(experiment("c", share: 400_000), beside: [freed, second])
    }

    @Test func aLayerKeepsOtherExperimentsApartToo() throws {
        let first = try started(experiment("a", share: 500_000, parameter: "one", layer: "front"))
        let second = try started(experiment("b", share: 500_000, parameter: "two", layer: "front"), beside: [first])
        #expect(
            Self.installations.allSatisfy { first.variantIndex(of: $0) == nil || second.variantIndex(of: $0) == nil })
    }

    @Test func experimentsOnDifferentThingsAreDrawnApart() throws {
        let first = try started(experiment("a", parameter: "one"))
        let second = try started(experiment("b", parameter: "two"), beside: [first])
        // Half of one variant's installations are in each variant of the other.
        let both = Self.installations.count { first.variantIndex(of: $0) == 1 && second.variantIndex(of: $0) == 1 }
        #expect(abs(Double(both) - 10_000) <= bound(0.25))
    }

    @Test func whoseTurnItIsNotGetsNothing() throws {
        let draft = experiment("a")
        #expect(draft.variantIndex(of: "installation-1") == nil)
        let over = try ExperimentLifecycle.stop(started(draft), nowMicroseconds: 9)
        #expect(over.variantIndex(of: "installation-1") == nil)
    }

    @Test func slotsAreFoundInGaps() {
        #expect(Slots.allocate(10, avoiding: [], startingAt: 999_995) == [0..<5, 999_995..<1_000_000])
        #expect(Slots.allocate(10, avoiding: [0..<100, 50..<200], startingAt: 20) == [200..<210])
        #expect(Slots.allocate(1_000_000, avoiding: [], startingAt: 7) == [0..<7, 7..<1_000_000])
        #expect(Slots.allocate(1_000_000, avoiding: [5..<6], startingAt: 7) == nil)
    }
}
