import HearthCatalog
import HearthValidation
import HearthWire
import HearthWork
import Testing

/// Whose try gets a place, and what becomes of it.
@Suite struct TryQueueTests {
    private let stores: TestStores
    private let scheduler = ManualScheduler()
    private let ends = Recorder<String>()

    init() throws { stores = try TestStores() }

    private func queue(_ change: (inout TryLimits) -> Void = { _ in }) -> TryQueue {
        var limits = TryLimits()
        limits.queue.runs = 1
        change(&limits)
        return TryQueue(blobs: stores.blobs, executable: "/nonexistent", limits: limits, scheduler: scheduler)
    }

    private func version(_ number: Int) -> ModelVersion {
        ModelVersion(
            modelID: 1, number: number, sha256: String(repeating: "0", count: 64), sizeBytes: 1, sourceURI: "",
            createdMicroseconds: 0, createdBy: "")
    }

    private func run(_ name: String, in place: QueuePlace, _ queue: TryQueue) {
        queue.run(version(1), on: [1], in: place) { [ends] result in
            switch result {
            case .success: ends.add("\(name) answered")
            case .failure(let error): ends.add("\(name) \(error.reason), \(queue.takenPlaces) taken")
            }
        }
    }

    @Test func aProjectGetsItsPlacesAndLeavesTheLastOnesToOthers() throws {
        let queue = queue { $0.queue = PlaceLimits(places: 6, placesPerProject: 3, reservedPlaces: 2, runs: 1) }
        let first = (0..<3).map { _ in queue.place(of: "a") }
        #expect(first.allSatisfy { $0 != nil } && queue.place(of: "a") == nil)
        let second = [queue.place(of: "b")]
        #expect(second[0] != nil)
        #expect(queue.place(of: "b") == nil, "the last two are for projects that have none")
        let others = [queue.place(of: "c"), queue.place(of: "d")]
        #expect(others.allSatisfy { $0 != nil } && queue.place(of: "e") == nil)
        first[0]?.giveUp()
        first[0]?.giveUp()
        #expect(queue.takenPlaces == 5, "once")
        let fifth = queue.place(of: "e")
        #expect(fifth != nil && queue.place(of: "f") == nil)
        withExtendedLifetime((first, second, others, fifth)) {}
    }

    @Test func aPlaceIsFreeWhenItsOwnerIsGone() {
        let queue = queue()
        do {
            let place = queue.place(of: "a")
            #expect(place != nil && queue.takenPlaces == 1)
        }
        #expect(queue.takenPlaces == 0)
    }

    @Test func projectsTakeTurnsAndOneRunsAtATime() throws {
        let queue = queue()
        for name in ["a1", "a2", "a3", "b1"] {
            run(name, in: try #require(queue.place(of: String(name.prefix(1)))), queue)
        }
        #expect(scheduler.readyCount == 1 && queue.takenPlaces == 4)
        while scheduler.step() { #expect(scheduler.readyCount <= 1) }
        #expect(ends.all == ["a1 model, 3 taken", "a2 model, 2 taken", "b1 model, 1 taken", "a3 model, 0 taken"])
    }

    @Test func aStopAnswersWhatWaits() throws {
        let queue = queue()
        for name in ["a", "b"] { run(name, in: try #require(queue.place(of: name)), queue) }
        queue.stop { [ends] in ends.add("idle") }
        #expect(Set(ends.all.map { $0.prefix(6) }) == ["a stop", "b stop"])
        #expect(scheduler.step() && !scheduler.step())
        #expect(ends.all.last == "idle" && ends.all.count == 3)
        run("c", in: try #require(queue.place(of: "c")), queue)
        #expect(ends.all.last == "c stop, 0 taken")
    }
}
