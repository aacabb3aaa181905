import Foundation
package import HearthFiles
package import HearthTransport
package import HearthWire

/// What the device side needs from the world around it. The real one by default; tests bring their own.
package struct DeviceEnvironment: Sendable {
    package var transport: any Transport
    package var files: any FileOperations
    /// The folder that holds one sub-folder per app.
    package var storeFolder: String
    package var now: @Sendable () -> Timestamp

    package init(
        transport: any Transport, files: any FileOperations, storeFolder: String,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.transport = transport
        self.files = files
        self.storeFolder = storeFolder
        self.now = now
    }

    /// libcurl, the disk, the system clock, and the user's data folder.
    ///
    /// `HEARTH_CA_FILE` names a PEM file of certificates to trust instead of the system's, for servers with a
    /// certificate of their own.
    package static func system() -> DeviceEnvironment {
        let environment = ProcessInfo.processInfo.environment
        let configuration = CurlTransport.Configuration(caFile: environment["HEARTH_CA_FILE"])
        return DeviceEnvironment(
            transport: CurlTransport(configuration: configuration), files: DiskFiles(),
            storeFolder: defaultStoreFolder(environment),
            now: { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) })
    }

    /// `HEARTH_STORE`, else `XDG_DATA_HOME/hearth`, else `~/.local/share/hearth`.
    static func defaultStoreFolder(_ environment: [String: String]) -> String {
        if let folder = environment["HEARTH_STORE"], !folder.isEmpty { return folder }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return FilePath.join(folder, "hearth")
        }
        return FilePath.join(environment["HOME"] ?? NSHomeDirectory(), ".local/share/hearth")
    }
}
