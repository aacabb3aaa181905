import HearthFiles
import HearthModelSource

/// Reports whether a download costs money or battery power now. Called before each attempt, on the downloading thread.
public protocol DeviceConditions: Sendable {
    /// Whether the connection is metered or cellular; nil when that is unknown, which counts as no.
    var isConnectionMetered: Bool? { get }
    /// Whether the device has external power; nil when that is unknown, which counts as yes.
    var isOnExternalPower: Bool? { get }
}

/// Whether a download may continue under the conditions that its caller set. Pure.
enum ConditionRules {
    /// Checks the conditions. An unknown connection counts as unmetered.
    ///
    /// - Throws: `conditionsNotMet` on a metered connection that the caller does not allow.
    static func check(
        _ conditions: DownloadConditions, on device: any DeviceConditions
    ) throws(DownloadFailure) {
        guard !areMet(conditions, on: device) else { return }
        throw DownloadFailure(
            .conditionsNotMet,
            "The connection is metered, and the download's conditions allow only unmetered ones; connect to another network.",
            error: .failedPrecondition, isTemporary: true)
    }

    static func areMet(_ conditions: DownloadConditions, on device: any DeviceConditions) -> Bool {
        conditions.allowsCellularAccess || device.isConnectionMetered != true
    }
}

/// The values of `ModelDownloadConditions`, which apps may subclass, in a form that threads can share.
struct DownloadConditions: Hashable, Sendable {
    let allowsCellularAccess: Bool
    let allowsBackgroundDownloading: Bool

    init(_ conditions: ModelDownloadConditions = ModelDownloadConditions()) {
        allowsCellularAccess = conditions.allowsCellularAccess
        allowsBackgroundDownloading = conditions.allowsBackgroundDownloading
    }
}

/// What the operating system reports about connection and power: on Linux from `/proc/net` and `/sys/class`; on other
/// systems both are unknown.
///
/// It looks only at the interface of the default routes: a tunnel over a cellular connection counts as unmetered.
public struct SystemConditions: DeviceConditions {
    private let network: NetworkInterfaces
    private let power: PowerSupplies

    /// Reads the system's own folders.
    public init() { self.init(procFolder: "/proc", sysFolder: "/sys") }

    init(procFolder: String, sysFolder: String) {
        network = NetworkInterfaces(procFolder: procFolder, sysFolder: sysFolder)
        power = PowerSupplies(sysFolder: sysFolder)
    }

    /// Whether the default route uses a cellular interface; nil when that is unknown.
    public var isConnectionMetered: Bool? {
        #if os(Linux)
            network.isDefaultCellular
        #else
            nil
        #endif
    }

    /// Whether the device has external power; nil when that is unknown.
    public var isOnExternalPower: Bool? {
        #if os(Linux)
            power.isOnExternalPower
        #else
            nil
        #endif
    }
}

/// The small text files in which Linux reports about the device.
struct KernelFile {
    private static let limitBytes = 1 << 20

    /// nil when it cannot be read.
    static func text(_ path: String) -> String? {
        (try? DiskFiles().read(path, limitBytes: limitBytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The file's first word; most of these files contain one word.
    static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}

/// Finds the interface of the default routes and whether it is cellular.
struct NetworkInterfaces: Sendable {
    let procFolder: String
    let sysFolder: String

    /// nil without a default route. True when one of the two (IPv4, IPv6) uses a cellular interface: which of them a
    /// transfer will use is unknown before.
    var isDefaultCellular: Bool? {
        let tables = [
            KernelFile.text(FilePath.join(procFolder, "net/route")).flatMap(RouteTable.defaultInterfaceIPv4),
            KernelFile.text(FilePath.join(procFolder, "net/ipv6_route")).flatMap(RouteTable.defaultInterfaceIPv6),
        ]
        let interfaces = tables.compactMap { $0 }
        return interfaces.isEmpty ? nil : interfaces.contains(where: isCellular)
    }

    /// `ppp` alone is not enough: DSL lines and tunnels have it too.
    private func isCellular(_ interface: String) -> Bool {
        if interface.hasPrefix("wwan") { return true }
        let events = KernelFile.text(FilePath.join(sysFolder, "class/net/\(interface)/uevent")) ?? ""
        return events.split(separator: "\n").contains("DEVTYPE=wwan")
    }
}

/// Reads the kernel's routing tables. Pure.
enum RouteTable {
    private static let up: UInt32 = 0x1
    private static let reject: UInt32 = 0x200

    /// The interface of the IPv4 default route.
    ///
    /// - Parameter text: `/proc/net/route`: interface, destination, gateway, flags, two counters, metric, mask ...
    static func defaultInterfaceIPv4(_ text: String) -> String? {
        best(in: text) { fields in
            guard fields.count >= 8, UInt32(fields[1], radix: 16) == 0, UInt32(fields[7], radix: 16) == 0,
                let flags = UInt32(fields[3], radix: 16), let metric = UInt32(fields[6])
            else { return nil }
            return (String(fields[0]), flags, metric)
        }
    }

    /// The interface of the IPv6 default route.
    ///
    /// - Parameter text: `/proc/net/ipv6_route`: destination, its length, source, its length, next hop, metric, two
    ///   counters, flags, interface.
    static func defaultInterfaceIPv6(_ text: String) -> String? {
        best(in: text) { fields in
            guard fields.count >= 10, UInt32(fields[1], radix: 16) == 0, fields[0].allSatisfy({ $0 == "0" }),
                fields[9] != "lo", let metric = UInt32(fields[5], radix: 16), let flags = UInt32(fields[8], radix: 16)
            else { return nil }
            return (String(fields[9]), flags, metric)
        }
    }

    /// The interface with the lowest metric among the routes that `read` finds to be default ones.
    private static func best(
        in text: String, _ read: ([Substring]) -> (interface: String, flags: UInt32, metric: UInt32)?
    ) -> String? {
        text.split(separator: "\n").compactMap { read($0.split(whereSeparator: \.isWhitespace)) }
            .filter { $0.flags & up != 0 && $0.flags & reject == 0 }
            .min { $0.metric < $1.metric }?.interface
    }
}

/// Finds out whether something other than the device's own battery supplies its power.
struct PowerSupplies: Sendable {
    let sysFolder: String

    private struct Supply {
        let type: String
        let isOnline: Bool
        let isDischarging: Bool
    }

    /// True with mains, USB or wireless power, and without a battery; false when a battery supplies the device; nil
    /// when that is unknown.
    var isOnExternalPower: Bool? {
        guard let supplies = supplies() else { return nil }
        let batteries = supplies.filter { $0.type == "Battery" }
        if batteries.isEmpty || supplies.contains(where: { $0.type != "Battery" && $0.isOnline }) { return true }
        return !batteries.contains(where: \.isDischarging)
    }

    private func supplies() -> [Supply]? {
        let folder = FilePath.join(sysFolder, "class/power_supply")
        guard let names = try? DiskFiles().list(folder) else { return nil }
        return names.compactMap { name in
            func word(_ file: String) -> String? { KernelFile.word(FilePath.join(folder, "\(name)/\(file)")) }
            // A mouse or a headset has a battery too, which supplies only itself.
            guard let type = word("type"), word("scope") != "Device" else { return nil }
            let online = word("online").flatMap { Int($0) } ?? 0
            return Supply(type: type, isOnline: online > 0, isDischarging: word("status") == "Discharging")
        }
    }
}
