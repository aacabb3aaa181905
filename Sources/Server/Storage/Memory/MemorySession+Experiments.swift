import HearthCatalog

/// Look-ups and changes of experiments and of what devices report.
extension MemorySession {
    func experiment(_ name: String, project: String) -> ExperimentRecord? {
        tables.experiments[MemoryTables.ExperimentKey(project: project, name: name)]
    }

    func experiments(project: String) -> [ExperimentRecord] {
        tables.experiments.values.filter { $0.projectID == project }
            .sorted { ($1.createdMicroseconds, $0.name) < ($0.createdMicroseconds, $1.name) }
    }

    func runningExperiments() -> [ExperimentRecord] {
        tables.experiments.values.filter(\.isRunning).sorted { ($0.projectID, $0.name) < ($1.projectID, $1.name) }
    }

    func insert(_ experiment: ExperimentRecord) throws {
        try checkOwner(project: experiment.projectID)
        guard self.experiment(experiment.name, project: experiment.projectID) == nil else {
            throw Self.conflict("experiment", experiment.name)
        }
        tables.experiments[Self.key(of: experiment)] = experiment
        changesServing = true
    }

    func update(_ experiment: ExperimentRecord) throws {
        try replace(experiment, at: Self.key(of: experiment), in: \.experiments)
    }

    func delete(_ experiment: ExperimentRecord) throws {
        try remove(Self.key(of: experiment), from: \.experiments, "experiment")
        tables.units[Self.key(of: experiment)] = nil
        changesServing = true
    }

    func deleteExperiments(project: String) {
        tables.experiments = tables.experiments.filter { $0.key.project != project }
        tables.units = tables.units.filter { $0.key.project != project }
        tables.journals = tables.journals.filter { $0.key.project != project }
        tables.eventDays = tables.eventDays.filter { $0.key.project != project }
    }

    func unit(_ installation: String, experiment: String, project: String) -> ExperimentUnit? {
        tables.units[MemoryTables.ExperimentKey(project: project, name: experiment)]?[installation]
    }

    func units(experiment: String, project: String, skipping: Int, limit: Int) -> [ExperimentUnit] {
        let all = tables.units[MemoryTables.ExperimentKey(project: project, name: experiment)] ?? [:]
        return Array(all.values.sorted { $0.installation < $1.installation }.dropFirst(skipping).prefix(limit))
    }

    func unitVariant(_ installation: String, experiment: String, project: String) -> Int? {
        unit(installation, experiment: experiment, project: project)?.variant
    }

    func unitCounts(experiment: String, project: String) -> [Int: Int] {
        let all = tables.units[MemoryTables.ExperimentKey(project: project, name: experiment)] ?? [:]
        return all.values.reduce(into: [:]) { $0[$1.variant, default: 0] += 1 }
    }

    func variantTotals(experiment: String, project: String) -> [VariantTotal] {
        let all = tables.units[MemoryTables.ExperimentKey(project: project, name: experiment)] ?? [:]
        var found: [[Int]: VariantTotal] = [:]
        for unit in all.values {
            for (metric, total) in unit.totals {
                let mean = total.sum / Double(total.count)
                var sums =
                    found[[unit.variant, metric]]
                    ?? VariantTotal(
                        variant: unit.variant, metric: metric, installations: 0, sum: 0, sumOfSquares: 0, meanSum: 0,
                        meanSumOfSquares: 0)
                sums.installations += 1
                sums.sum += total.sum
                sums.sumOfSquares += total.sum * total.sum
                sums.meanSum += mean
                sums.meanSumOfSquares += mean * mean
                found[[unit.variant, metric]] = sums
            }
        }
        return found.values.sorted { ($0.variant, $0.metric) < ($1.variant, $1.metric) }
    }

    func insert(_ unit: ExperimentUnit) throws {
        let key = MemoryTables.ExperimentKey(project: unit.projectID, name: unit.experiment)
        guard tables.experiments[key] != nil else { throw Self.orphan("experiment", unit.experiment) }
        guard tables.units[key]?[unit.installation] == nil else {
            throw Self.conflict("installation", unit.installation)
        }
        var unit = unit
        unit.totals = [:]
        tables.units[key, default: [:]][unit.installation] = unit
    }

    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws {
        let key = MemoryTables.ExperimentKey(project: unit.projectID, name: unit.experiment)
        guard tables.units[key]?[unit.installation] != nil else {
            throw Self.orphan("installation", unit.installation)
        }
        var sums = tables.units[key]?[unit.installation]?.totals[metric] ?? MetricTotal(count: 0, sum: 0)
        sums.count += total.count
        sums.sum += total.sum
        tables.units[key]?[unit.installation]?.totals[metric] = sums
    }

    func journal(_ name: String, installation: String, project: String) -> EventJournal? {
        tables.journals[MemoryTables.JournalKey(project: project, installation: installation, name: name)]
    }

    func put(_ journal: EventJournal, keeping: Int) throws {
        try checkOwner(project: journal.projectID)
        tables.journals[Self.key(of: journal)] = journal
        let own = tables.journals.values.filter {
            $0.projectID == journal.projectID && $0.installation == journal.installation
        }
        let newest = own.sorted { ($1.touchedMicroseconds, $0.name) < ($0.touchedMicroseconds, $1.name) }
        for old in newest.dropFirst(keeping) { tables.journals[Self.key(of: old)] = nil }
    }

    func eventDays(project: String, limit: Int) -> [EventDay] {
        let found = tables.eventDays.values.filter { $0.projectID == project }
        let sorted = found.sorted { ($1.day, $0.event, $0.model) < ($0.day, $1.event, $1.model) }
        return Array(sorted.prefix(limit))
    }

    func eventDayCount(project: String, day: Int64) -> Int {
        tables.eventDays.keys.count { $0.project == project && $0.day == day }
    }

    func add(_ events: EventDay) throws {
        try checkOwner(project: events.projectID)
        let key = MemoryTables.EventDayKey(
            project: events.projectID, day: events.day, event: events.event, model: events.model)
        var sums = events
        if let known = tables.eventDays[key] {
            sums.count += known.count
            sums.sum += known.sum
        }
        tables.eventDays[key] = sums
    }

    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) -> Int {
        let before = tables.eventDays.count + tables.journals.count
        tables.eventDays = tables.eventDays.filter { $0.key.day >= day }
        tables.journals = tables.journals.filter { $0.value.touchedMicroseconds >= microseconds }
        return before - tables.eventDays.count - tables.journals.count
    }

    private static func key(of experiment: ExperimentRecord) -> MemoryTables.ExperimentKey {
        MemoryTables.ExperimentKey(project: experiment.projectID, name: experiment.name)
    }

    private static func key(of journal: EventJournal) -> MemoryTables.JournalKey {
        MemoryTables.JournalKey(project: journal.projectID, installation: journal.installation, name: journal.name)
    }
}
