import HearthFiles

/// Which interface leads to the world, and whether it is a mobile one.
struct NetworkInterfaces: Sendable {
    let procFolder: String
    let sysFolder: String

    /// nil without a default route. True when either of the two (IPv4, IPv6) leads over a mobile interface: which of them
    /// a transfer will take is not known before.
    var isDefaultCellular: Bool? {
        let tables = [
            KernelFile.text(FilePath.join(procFolder, "net/route")).flatMap(RouteTable.defaultInterfaceIPv4),
            KernelFile.text(FilePath.join(procFolder, "net/ipv6_route")).flatMap(RouteTable.defaultInterfaceIPv6),
        ]
        let interfaces = tables.compactMap { $0 }
        return interfaces.isEmpty ? nil : interfaces.contains(where: isCellular)
    }

    /// `ppp` alone tells nothing: DSL lines and tunnels have it, too.
    private func isCellular(_ interface: String) -> Bool {
        if interface.hasPrefix("wwan") { return true }
        let events = KernelFile.text(FilePath.join(sysFolder, "class/net/\(interface)/uevent")) ?? ""
        return events.split(separator: "\n").contains("DEVTYPE=wwan")
    }
}

/// Reads the kernel's tables of routes. Pure.
enum RouteTable {
    private static let up: UInt32 = 0x1
    private static let reject: UInt32 = 0x200

    /// - Parameter text: `/proc/net/route`: interface, destination, gateway, flags, two counters, metric, mask ...
    static func defaultInterfaceIPv4(_ text: String) -> String? {
        best(in: text) { fields in
            guard fields.count >= 8, UInt32(fields[1], radix: 16) == 0, UInt32(fields[7], radix: 16) == 0,
                let flags = UInt32(fields[3], radix: 16), let metric = UInt32(fields[6])
            else { return nil }
            return (String(fields[0]), flags, metric)
        }
    }

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
