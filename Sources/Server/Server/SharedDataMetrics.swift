import HearthMetrics
import HearthStorage

/// The metrics of a database and a store that several servers share. A server that has its data alone has none of them.
struct SharedDataMetrics {
    let metadata: any MetadataStore
    let blobs: any BlobStore

    func add(to metrics: ServerMetrics) {
        if metadata.databaseUse != nil { addDatabase(to: metrics) }
        if blobs.remoteStoreUse != nil { addStore(to: metrics) }
    }

    private func addDatabase(to metrics: ServerMetrics) {
        let pools: @Sendable () -> [DatabaseUse.Pool] = { [metadata] in metadata.databaseUse?.pools ?? [] }
        metrics.add("hearth_database_connections", .gauge, "Open connections to the database, by use.") {
            pools().flatMap { pool in
                [(pool.inUse, "in_use"), (pool.idle, "idle")].map { count, state in
                    ServerMetrics.Sample(Double(count), ("pool", pool.name), ("state", state))
                }
            }
        }
        metrics.add("hearth_database_connections_limit", .gauge, "Most connections to the database, by use.") {
            pools().map { ServerMetrics.Sample(Double($0.limit), ("pool", $0.name)) }
        }
        metrics.add(
            "hearth_database_refusals_total", .counter, "Calls that waited too long for a connection to the database."
        ) { pools().map { ServerMetrics.Sample(Double($0.refusals), ("pool", $0.name)) } }
        metrics.add(
            "hearth_database_repeated_writes_total", .counter,
            "Changes that were repeated because another change came in between."
        ) { [metadata] in metadata.databaseUse.map { Double($0.repeatedWrites) } }
        metrics.add(
            "hearth_database_replaced_total", .counter,
            "How often the database turned out to be another one than before: it went back, or lost changes."
        ) { [metadata] in Double(metadata.history) }
        metrics.add(
            "hearth_database_lock_lost", .gauge, "1 while no server has or can have a lock that servers need, by lock."
        ) { [metadata] in
            let lost = Set(metadata.coordination.lockProblems.map(\.subject))
            return LockProblem.Subject.allCases.map {
                ServerMetrics.Sample(lost.contains($0) ? 1 : 0, ("lock", $0.name))
            }
        }
    }

    private func addStore(to metrics: ServerMetrics) {
        let counters: [(String, String, @Sendable (RemoteStoreUse) -> Int)] = [
            ("requests", "Requests to the store of model files, with those that were sent again.", { $0.requests }),
            ("retries", "Requests to the store of model files that were sent again.", { $0.retries }),
            ("failures", "Calls of the store of model files that failed after all tries.", { $0.failures }),
            ("fetches", "Model files that were fetched from the store into the local cache.", { $0.fetches }),
        ]
        for (name, help, value) in counters {
            metrics.add("hearth_model_store_\(name)_total", .counter, help) { [blobs] in
                blobs.remoteStoreUse.map { Double(value($0)) }
            }
        }
        metrics.add("hearth_model_store_cache_bytes", .gauge, "Bytes of model files in the local cache.") { [blobs] in
            blobs.remoteStoreUse.map { Double($0.cacheBytes) }
        }
    }
}
