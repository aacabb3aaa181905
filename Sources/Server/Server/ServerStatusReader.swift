import HearthCalls
import HearthFiles
import HearthMaintenance
import HearthStorage
import HearthWire

/// Reads what the running program knows of its state, for `/hearth/v1/server`.
struct ServerStatusReader: Sendable {
    let configuration: ServerConfiguration
    let layout: DataLayout
    let data: ServerData
    let confirmation: RemovalConfirmation
    let maintenance: MaintenanceStatus
    let start: Timestamp
    let connections: @Sendable () -> Int

    /// May ask the database.
    var status: ServerBodies.Status {
        var status = ServerBodies.Status(
            version: HearthVersion.text, startTime: start.rfc3339(fractionDigits: 0),
            console: configuration.isConsoleServed)
        status.engine = configuration.engine
        // A database that is away is said to be so elsewhere.
        status.schema = (try? data.schema()) ?? 0
        status.database = data.shared?.database
        status.modelStore = data.shared?.store
        status.folders = [folder("data", layout.path)]
        if !data.isShared { status.folders?.append(folder("blobs", layout.blobFolder)) }
        status.connections = connections()
        status.deferredRemovals = deferredRemovals
        status.lastBackupTime = lastBackup
        status.settings = ServerSettings.all.map { setting in
            ServerBodies.Setting(
                name: setting.name, value: setting.text(configuration),
                source: (configuration.sources[setting.name] ?? .builtIn).text, summary: setting.summary)
        }
        return status
    }

    private func folder(_ name: String, _ path: String) -> ServerBodies.Folder {
        ServerBodies.Folder(
            name: name, path: path, freeBytes: (try? DiskFiles().freeBytes(path)).map { "\($0)" },
            sizeBytes: (try? DiskFiles().totalBytes(path)).map { "\($0)" })
    }

    /// Where servers share the data, another one may have deferred them.
    private var deferredRemovals: Int {
        guard data.isShared else { return maintenance.deferredCount }
        return (try? confirmation.read()?.count) ?? 0
    }

    /// Nil if there was no backup, or if what is noted is not what a backup notes.
    private var lastBackup: String? {
        let noted = data.isShared ? (try? data.metadata.read { try $0.value(of: .lastBackup) }) : noteInFolder
        return noted.flatMap { Timestamp(rfc3339: $0) }.map { $0.rfc3339(fractionDigits: 0) }
    }

    private var noteInFolder: String? {
        guard let bytes = try? DiskFiles().read(layout.lastBackupFile, limitBytes: 100) else { return nil }
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }
}
