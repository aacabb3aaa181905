import HearthFiles

/// What the operating system tells about connection and power: on Linux from `/proc/net` and `/sys/class`; elsewhere nothing
/// is known.
///
/// Only the interface that the default routes name is looked at: a tunnel over a mobile connection counts as unmetered.
public struct SystemConditions: DeviceConditions {
    private let network: NetworkInterfaces
    private let power: PowerSupplies

    public init() { self.init(procFolder: "/proc", sysFolder: "/sys") }

    init(procFolder: String, sysFolder: String) {
        network = NetworkInterfaces(procFolder: procFolder, sysFolder: sysFolder)
        power = PowerSupplies(sysFolder: sysFolder)
    }

    public var isConnectionMetered: Bool? {
        #if os(Linux)
            network.isDefaultCellular
        #else
            nil
        #endif
    }

    public var isOnExternalPower: Bool? {
        #if os(Linux)
            power.isOnExternalPower
        #else
            nil
        #endif
    }
}

/// The small text files in which Linux tells about itself.
struct KernelFile {
    private static let limitBytes = 1 << 20

    /// nil when it cannot be read.
    static func text(_ path: String) -> String? {
        (try? DiskFiles().read(path, limitBytes: limitBytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Its first word: most of these files hold one.
    static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
