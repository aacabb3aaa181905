package import HearthWork

extension PeriodicTask {
    /// A task that runs the maintenance.
    package convenience init(
        _ maintenance: Maintenance, scheduler: any WorkScheduler, pauseSeconds: Double = 3600,
        note: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (String) -> Void,
        isDue: @escaping @Sendable () -> Bool = { true }
    ) {
        self.init(
            "maintenance", scheduler: scheduler, pauseSeconds: pauseSeconds, note: note, failure: failure, isDue: isDue
        ) {
            guard var result = try maintenance.run() else { return [] }
            if result.deferred.count > 0 { failure(Self.text(result.deferred)) }
            result.deferred = DeferredRemovals()
            return result == Maintenance.Result() ? [] : [Self.text(result)]
        }
    }

    private static func text(_ result: Maintenance.Result) -> String {
        """
        maintenance removed: unused uploads \(result.uploads), expired resumable uploads \(result.sessions), stray parts of \
        uploads \(result.strays), verdicts \(result.validations), counts of events \(result.events), \
        devices unseen for 28 days \(result.sightings), trashed files \(result.blobs); moved to the trash: files \
        \(result.trashed); restored from the trash: files \(result.restored)
        """
    }

    private static func text(_ deferred: DeferredRemovals) -> String {
        """
        maintenance removed none of these, because they are too many at once, as with a wrong database or a wrong clock: \
        \(deferred.text). If the number is right, allow the removal: hearth admin clean --confirm \(deferred.count). If \
        not, stop the server and correct the cause
        """
    }
}
