import HearthFiles

/// Whether something other than the device's own battery feeds it.
struct PowerSupplies: Sendable {
    let sysFolder: String

    private struct Supply {
        let type: String
        let isOnline: Bool
        let isDischarging: Bool
    }

    /// True on mains, USB or wireless power, and without a battery; false when a battery is what feeds the device; nil when
    /// that cannot be told.
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
            // A mouse or a headset has a battery, too: that one feeds itself only.
            guard let type = word("type"), word("scope") != "Device" else { return nil }
            let online = word("online").flatMap { Int($0) } ?? 0
            return Supply(type: type, isOnline: online > 0, isDischarging: word("status") == "Discharging")
        }
    }
}
