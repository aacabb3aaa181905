import HearthDevicePlane
import HearthFiles
import HearthHTTP
import HearthIdentity
import HearthMaintenance
import HearthMetrics
import HearthStorage
import HearthValidation

/// Adds the metrics of a server's parts to `/metrics`.
struct ServerGauges {
    let http: HTTPServer
    let devices: DevicePlane
    /// Nil for a follower, which validates and removes nothing.
    let validation: ValidationQueue?
    let maintenance: MaintenanceStatus?
    let clock: ServerClock
    /// What may be away.
    let data: ServerData
    /// The folders on whose disks the server needs space, by the names of their labels.
    let folders: [(name: String, path: String)]

    func add(to metrics: ServerMetrics) {
        addGauges(to: metrics)
        addDisks(to: metrics)
        ProcessMetrics.add(to: metrics)
        addConnections(to: metrics)
        metrics.add(
            "hearth_config_streams_open", .gauge, "Devices that listen for updates of their Remote Config template."
        ) { [weak devices] in devices.map { Double($0.updateStreamCount) } }
        addRefusals(to: metrics)
        addClock(to: metrics)
        addOutages(to: metrics)
    }

    /// A server that has its data alone always has them.
    private func addOutages(to metrics: ServerMetrics) {
        metrics.add(
            "hearth_serving_snapshot_age_seconds", .gauge,
            "Since when it is unknown whether the database has changed what devices are answered."
        ) { [weak devices] in devices.map { Double($0.servingAgeMicroseconds ?? 0) / 1_000_000 } }
        metrics.add("hearth_database_available", .gauge, "Whether the database answers.") {
            [metadata = data.metadata] in metadata.contact?.isAnswering ?? true ? 1 : 0
        }
        metrics.add("hearth_model_store_available", .gauge, "Whether the store of the model files answers.") {
            [blobs = data.blobs] in blobs.isAnswering ? 1 : 0
        }
    }

    private func addGauges(to metrics: ServerMetrics) {
        metrics.add("hearth_http_connections_open", .gauge, "Open connections, including idle ones.") {
            [weak http] in http.map { Double($0.openConnections) }
        }
        metrics.add(
            "hearth_validation_queue_length", .gauge,
            "Uploaded files that wait for their validation, or are being validated."
        ) {
            [weak validation] in Double(validation?.count ?? 0)
        }
        metrics.add(
            "hearth_validation_given_up", .gauge,
            "Uploaded files that this machine could not validate; the log says why."
        ) {
            [weak validation] in Double(validation?.givenUpCount ?? 0)
        }
        metrics.add(
            "hearth_maintenance_deferred", .gauge,
            "Files and records that wait for `hearth admin clean`; the log says what to do."
        ) { [maintenance] in Double(maintenance?.deferredCount ?? 0) }
        metrics.add("hearth_files_in_trash", .gauge, "Model files in the trash, which no record names.") {
            [maintenance] in Double(maintenance?.trashCount ?? 0)
        }
    }

    /// The model files may be on another disk than the database.
    private func addDisks(to metrics: ServerMetrics) {
        let help = "Bytes that the server may still write to the disk of a folder."
        metrics.add("hearth_disk_free_bytes", .gauge, help) { [folders] in
            folders.compactMap { name, path in
                (try? DiskFiles().freeBytes(path)).map { ServerMetrics.Sample(Double($0), ("folder", name)) }
            }
        }
        metrics.add("hearth_disk_size_bytes", .gauge, "Bytes of the disk of a folder, with those in use.") {
            [folders] in
            folders.compactMap { name, path in
                (try? DiskFiles().totalBytes(path)).map { ServerMetrics.Sample(Double($0), ("folder", name)) }
            }
        }
    }

    /// Counts the connections and requests that the server ends or refuses.
    private func addConnections(to metrics: ServerMetrics) {
        for reason in DisconnectReason.allCases {
            let name = reason.name.replacing("-", with: "_")
            metrics.add("hearth_http_ended_\(name)_total", .counter, Self.help(reason)) {
                [weak http] in http.map { Double($0.connectionsEnded(reason)) }
            }
        }
        metrics.add(
            "hearth_http_connections_refused_total", .counter,
            "Connections closed without an answer, because their network had too many or connections were scarce."
        ) {
            [weak http] in http.map { Double($0.refusedConnections) }
        }
        metrics.add(
            "hearth_http_client_requests_refused_total", .counter,
            "Requests behind a proxy that the server refused, because their client had too many in progress."
        ) {
            [weak http] in http.map { Double($0.refusedClientRequests) }
        }
    }

    private func addRefusals(to metrics: ServerMetrics) {
        let limiter = devices.limiter
        let limits = [("address", limiter.address), ("key", limiter.key), ("installation", limiter.installation)]
        for (name, limit) in limits {
            metrics.add("hearth_rate_limited_\(name)_total", .counter, "Calls refused by the limit per \(name).") {
                Double(limit.refusals)
            }
        }
    }

    private func addClock(to metrics: ServerMetrics) {
        metrics.add("hearth_clock_jumps_total", .counter, "How often the machine's clock was set, forward or back.") {
            [clock] in Double(clock.jumps)
        }
        metrics.add(
            "hearth_clock_behind_seconds", .gauge,
            "How far the machine's clock is behind the clock by which tokens expire."
        ) { [clock] in
            let moment = clock.moment
            return Double(moment.signingMicroseconds &- moment.wallMicroseconds) / 1_000_000
        }
    }

    private static func help(_ reason: DisconnectReason) -> String {
        switch reason {
        case .slowHead: "Connections ended because a request's head took too long to arrive."
        case .slowBody: "Connections ended because a request's body arrived too slowly."
        case .slowReader: "Connections ended because the peer received an answer too slowly."
        case .crowded: "Connections ended because connections were scarce and the peer's network had the most."
        }
    }
}
