import Foundation
package import HearthClient
package import HearthFiles
package import HearthTransport

/// What the device's modules need from the system. The real system by default; tests replace parts of it.
package struct DeviceEnvironment: Sendable {
    package var transport: any Transport
    package var files: any FileOperations
    /// The folder that contains one folder per app.
    package var storeFolder: String
    package var clock: any DeviceClock
    /// Returns numbers from 0 up to, but not including, 1, for times that must differ from device to device.
    package var random: @Sendable () -> Double
    /// An app's device description until the app changes it.
    package var description: DeviceDescription

    package init(
        transport: any Transport, files: any FileOperations, storeFolder: String, clock: any DeviceClock,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        description: DeviceDescription = DeviceDescription()
    ) {
        self.transport = transport
        self.files = files
        self.storeFolder = storeFolder
        self.clock = clock
        self.random = random
        self.description = description
    }

    /// libcurl, the disk, the system clock and the user's data folder, for an app with these options.
    ///
    /// `HEARTH_PROXY` and `HEARTH_CA_FILE` apply when the options name no proxy or no CA file.
    package static func system(_ options: FirebaseOptions) -> DeviceEnvironment {
        let environment = ProcessInfo.processInfo.environment
        return DeviceEnvironment(
            transport: CurlTransport(configuration: transportConfiguration(options, environment)), files: DiskFiles(),
            storeFolder: defaultStoreFolder(environment), clock: SystemClock(), description: .system(environment))
    }

    static func transportConfiguration(
        _ options: FirebaseOptions, _ environment: [String: String]
    ) -> CurlTransport.Configuration {
        let caFile = options.caFile ?? environment["HEARTH_CA_FILE"]
        let proxy: CurlTransport.Proxy =
            switch options.proxyURL ?? environment["HEARTH_PROXY"] {
            case nil, "": .environment
            case "none": .none
            case .some(let url): .url(url)
            }
        return CurlTransport.Configuration(caFile: caFile?.isEmpty == true ? nil : caFile, proxy: proxy)
    }

    /// An absolute path: `HEARTH_STORE`, otherwise `XDG_DATA_HOME/hearth`, otherwise `~/.local/share/hearth`.
    static func defaultStoreFolder(_ environment: [String: String]) -> String {
        if let folder = environment["HEARTH_STORE"], !folder.isEmpty { return absolute(folder) }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return FilePath.join(folder, "hearth")
        }
        return absolute(FilePath.join(environment["HOME"] ?? NSHomeDirectory(), ".local/share/hearth"))
    }

    /// The absolute path: the program may change its current folder later, which must not change the paths of models.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FilePath.join(FileManager.default.currentDirectoryPath, path)
    }
}
