import HearthFiles
import HearthMaintenance
import HearthStorage
import HearthStorageSQLite
import HearthWire

/// Reads what the running program knows of its state, for `/hearth/v1/server`.
struct ServerStatusReader: Sendable {
    let configuration: ServerConfiguration
    let layout: DataLayout
    let maintenance: MaintenanceStatus
    let start: Timestamp
    let connections: @Sendable () -> Int

    var status: ServerBodies.Status {
        var status = ServerBodies.Status(
            version: HearthVersion.text, startTime: start.rfc3339(fractionDigits: 0),
            console: configuration.isConsoleServed)
        status.engine = configuration.engine
        status.schema = SQLiteSnapshot.schema
        status.folders = [folder("data", layout.path), folder("blobs", layout.blobFolder)]
        status.connections = connections()
        status.deferredRemovals = maintenance.deferredCount
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

    /// Nil if there was no backup, or if the file is not one that a backup wrote.
    private var lastBackup: String? {
        guard let bytes = try? DiskFiles().read(layout.lastBackupFile, limitBytes: 100) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        return Timestamp(rfc3339: text).map { $0.rfc3339(fractionDigits: 0) }
    }
}
