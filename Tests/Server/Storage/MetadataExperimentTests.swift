import HearthCatalog
import HearthStorage
import Testing

@Suite("Metadata: experiments and events") struct MetadataExperimentTests {
    private func experiment(
        _ name: String, project: String = "project-a", running: Bool = true, created: Int64 = 1
    ) -> ExperimentRecord {
        ExperimentRecord(
            projectID: project, name: name, body: #"{"name":"\#(name)"}"#, isRunning: running,
            createdMicroseconds: created, createdBy: "ann@example.test")
    }

    private func unit(_ installation: String, _ variant: Int = 0, of experiment: String = "one") -> ExperimentUnit {
        ExperimentUnit(
            projectID: "project-a", experiment: experiment, installation: installation, variant: variant,
            exposedMicroseconds: 7)
    }

    @Test("Experiments of a project, newest first, and those that run", arguments: MetadataKind.allCases)
    func lists(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (one, two) = (experiment("one"), experiment("two", running: false, created: 2))
        let other = experiment("one", project: "project-b")
        try store.write { store in for record in [one, two, other] { try store.insert(record) } }
        try store.read { (store) throws in
            #expect(try store.experiments(project: "project-a") == [two, one])
            #expect(try store.runningExperiments() == [one, other])
            #expect(try store.experiment("two", project: "project-a") == two)
            #expect(try store.experiment("two", project: "project-b") == nil)
        }
        var started = two
        started.isRunning = true
        started.body = "{}"
        let before = store.servingRevision
        try store.write { try $0.update(started) }
        #expect(store.servingRevision > before)
        #expect(try store.read { try $0.runningExperiments() } == [one, started, other])
        for wrong in [one, experiment("x", project: "project-nobody")] {
            let error = #expect(throws: StorageError.self) { try store.write { try $0.insert(wrong) } }
            #expect(error?.code == .conflict)
        }
        let error = #expect(throws: StorageError.self) { try store.write { try $0.update(self.experiment("three")) } }
        #expect(error?.code == .notFound)
    }

    @Test("What is counted adds up per installation and per variant", arguments: MetadataKind.allCases)
    func totals(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(experiment("one"))
            for (name, variant) in [("a", 0), ("b", 0), ("c", 1), ("d", 1)] { try store.insert(unit(name, variant)) }
            try store.add(MetricTotal(count: 2, sum: 3), metric: 0, to: unit("a"))
            try store.add(MetricTotal(count: 1, sum: 6), metric: 0, to: unit("a"))
            try store.add(MetricTotal(count: 1, sum: 5), metric: 0, to: unit("b"))
            try store.add(MetricTotal(count: 4, sum: -2), metric: 1, to: unit("c"))
            // A purchase for nothing.
            try store.add(MetricTotal(count: 1, sum: 0), metric: 1, to: unit("d"))
            // Its square is too small for a number.
            try store.add(MetricTotal(count: 1, sum: 1e-200), metric: 0, to: unit("d"))
        }
        try store.read { (store) throws in
            let all = try store.units(experiment: "one", project: "project-a", skipping: 0, limit: 9)
            #expect(all.map(\.installation) == ["a", "b", "c", "d"])
            #expect(all.first?.totals == [0: MetricTotal(count: 3, sum: 9)])
            #expect(try store.unitVariant("c", experiment: "one", project: "project-a") == 1)
            #expect(try store.unitVariant("e", experiment: "one", project: "project-a") == nil)
            #expect(try store.unitCounts(experiment: "one", project: "project-a") == [0: 2, 1: 2])
            #expect(
                try store.variantTotals(experiment: "one", project: "project-a") == [
                    VariantTotal(
                        variant: 0, metric: 0, installations: 2, nonzero: 2, sum: 14, sumOfSquares: 81 + 25,
                        meanSum: 3 + 5, meanSumOfSquares: 9 + 25),
                    VariantTotal(
                        variant: 1, metric: 0, installations: 1, nonzero: 0, sum: 0, sumOfSquares: 0, meanSum: 0,
                        meanSumOfSquares: 0),
                    VariantTotal(
                        variant: 1, metric: 1, installations: 2, nonzero: 1, sum: -2, sumOfSquares: 4, meanSum: -0.5,
                        meanSumOfSquares: 0.25),
                ])
            let page = try store.units(experiment: "one", project: "project-a", skipping: 1, limit: 2)
            #expect(page.map(\.installation) == ["b", "c"])
            #expect(page.last?.totals == [1: MetricTotal(count: 4, sum: -2)])
        }
    }

    @Test("Counting makes no serving snapshot old", arguments: MetadataKind.allCases)
    func revision(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { try $0.insert(experiment("one")) }
        let before = store.servingRevision
        try store.write { store in
            try store.insert(unit("a"))
            try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit("a"))
            try store.add(EventDay(projectID: "project-a", day: 1, event: "e", model: "", count: 1, sum: 1))
        }
        #expect(store.servingRevision == before)
    }

    @Test("An installation is exposed once, to an experiment that is there", arguments: MetadataKind.allCases)
    func conflicts(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(experiment("one"))
            try store.insert(unit("a"))
        }
        for wrong in [unit("a", 1), unit("b", of: "two")] {
            let error = #expect(throws: StorageError.self) { try store.write { try $0.insert(wrong) } }
            #expect(error?.code == .conflict)
        }
        let total = MetricTotal(count: 1, sum: 1)
        let error = #expect(throws: StorageError.self) {
            try store.write { try $0.add(total, metric: 0, to: self.unit("nobody")) }
        }
        #expect(error?.code == .conflict)
    }

    @Test("What was counted goes with its experiment, and all with the project", arguments: MetadataKind.allCases)
    func deletion(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func fill() throws {
            try store.write { store in
                try store.insert(experiment("one"))
                try store.insert(unit("a"))
                try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit("a"))
            }
        }
        try fill()
        try store.write { try $0.delete(experiment("one")) }
        try fill()
        try store.read { (store) throws in
            let known = try store.units(experiment: "one", project: "project-a", skipping: 0, limit: 9)
            #expect(known.map(\.totals) == [[0: MetricTotal(count: 1, sum: 1)]])
        }
        try store.write { store in
            try store.put(
                EventJournal(projectID: "project-a", installation: "a", name: "j", last: 1, touchedMicroseconds: 1),
                keeping: 1)
            try store.add(EventDay(projectID: "project-a", day: 1, event: "e", model: "", count: 1, sum: 1))
            try store.delete(try #require(try store.project(id: "project-a")))
        }
        try store.read { (store) throws in
            #expect(try store.runningExperiments() == [])
            #expect(try store.eventDays(project: "project-a", limit: 9) == [])
            #expect(try store.journal("j", installation: "a", project: "project-a") == nil)
        }
    }

    @Test("Of journals, those touched last are kept", arguments: MetadataKind.allCases)
    func journals(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func put(_ name: String, _ last: Int64, at time: Int64, installation: String = "a") throws {
            try store.write {
                try $0.put(
                    EventJournal(
                        projectID: "project-a", installation: installation, name: name, last: last,
                        touchedMicroseconds: time), keeping: 2)
            }
        }
        func last(_ name: String, _ installation: String = "a") throws -> Int64? {
            try store.read { try $0.journal(name, installation: installation, project: "project-a")?.last }
        }
        try put("j1", 5, at: 1)
        try put("other", 5, at: 0, installation: "b")
        try put("j2", 6, at: 2)
        try put("j1", 8, at: 3)
        try put("j3", 1, at: 4)
        #expect(try last("j1") == 8)
        #expect(try last("j2") == nil)
        #expect(try last("j3") == 1)
        #expect(try last("other", "b") == 5)
        #expect(try store.write { try $0.deleteEvents(beforeDay: 0, untouchedSinceMicroseconds: 4) } == 2)
        #expect(try last("j1") == nil)
        #expect(try last("j3") == 1)
    }

    @Test("Events of a day add up", arguments: MetadataKind.allCases)
    func days(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func day(_ day: Int64, _ event: String, model: String = "", count: Int64 = 1) -> EventDay {
            EventDay(projectID: "project-a", day: day, event: event, model: model, count: count, sum: 0.5)
        }
        try store.write { store in
            for events in [day(1, "buy"), day(2, "buy"), day(2, "buy", model: "m"), day(2, "add"), day(2, "buy")] {
                try store.add(events)
            }
        }
        try store.read { (store) throws in
            var twice = day(2, "buy", count: 2)
            twice.sum = 1
            #expect(
                try store.eventDays(project: "project-a", limit: 9)
                    == [day(2, "add"), twice, day(2, "buy", model: "m"), day(1, "buy")])
            #expect(try store.eventDayCount(project: "project-a", day: 2) == 3)
        }
        _ = try store.write { try $0.deleteEvents(beforeDay: 2, untouchedSinceMicroseconds: 0) }
        #expect(try store.read { try $0.eventDays(project: "project-a", limit: 9) }.allSatisfy { $0.day == 2 })
    }

    @Test("The history is that of its experiment, and goes with it", arguments: MetadataKind.allCases)
    func history(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func point(_ time: Int64, of name: String = "one", exposures: Int = 5) -> ExperimentPoint {
            ExperimentPoint(
                projectID: "project-a", experiment: name, atMicroseconds: time,
                variants: [
                    .init(exposures: exposures, value: 0.5),
                    .init(exposures: 7, value: 0.75, difference: 0.25, interval: -0.125...0.5, pValue: 0.0625),
                ])
        }
        func times(_ name: String = "one") throws -> [Int64] {
            try store.read { try $0.pointTimes(experiment: name, project: "project-a") }
        }
        try store.write { store in
            try store.insert(experiment("one"))
            try store.insert(experiment("two"))
        }
        let before = store.servingRevision
        try store.write { store in
            for point in [point(3), point(1), point(2), point(1, of: "two"), point(2, exposures: 6)] {
                try store.put(point)
            }
        }
        #expect(store.servingRevision == before, "devices get nothing else")
        #expect(
            try store.read { try $0.points(experiment: "one", project: "project-a") }
                == [point(1), point(2, exposures: 6), point(3)])
        try store.write { try $0.deletePoints(experiment: "one", project: "project-a", times: [2, 9]) }
        #expect(try times() == [1, 3])
        try store.write { try $0.delete(experiment("one")) }
        #expect(try times() == [])
        #expect(try times("two") == [1])
        let error = #expect(throws: StorageError.self) { try store.write { try $0.put(point(1)) } }
        #expect(error?.code == .conflict, "there is no such experiment")
        try store.write { try $0.delete(try #require(try $0.project(id: "project-a"))) }
        #expect(try times("two") == [])
    }

    @Test("Those that run, and those that ended since", arguments: MetadataKind.allCases)
    func recent(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func ended(_ name: String, at time: Int64?) -> ExperimentRecord {
            var record = experiment(name, running: false)
            record.endedMicroseconds = time
            return record
        }
        let running = experiment("running")
        try store.write { store in
            for record in [
                ended("old", at: 99), ended("first", at: 100), running, ended("last", at: 101), ended("draft", at: nil),
                experiment("elsewhere", project: "project-b"),
            ] {
                try store.insert(record)
            }
        }
        try store.read { (store) throws in
            #expect(
                try store.experiments(project: "project-a", endedSinceMicroseconds: 100)
                    == [running, ended("last", at: 101), ended("first", at: 100)])
            #expect(
                try store.experimentNames(project: "project-a") == ["draft", "first", "last", "old", "running"])
        }
    }
}
