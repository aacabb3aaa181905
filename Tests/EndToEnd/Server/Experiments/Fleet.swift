import EndToEndDriving

/// Devices with one app each, which do things side by side.
struct Fleet: Sendable {
    let devices: [AppOnDevice]

    init(_ server: ServerProcess, _ line: DeviceLine, count: Int = 12) throws {
        devices = try (0..<count).map { try AppOnDevice(server, line, name: "device-\($0)") }
    }

    /// What each device answers, by its installation's id at the end.
    func each<Value: Sendable>(
        _ body: @escaping @Sendable (AppOnDevice, _ index: Int) async throws -> Value
    ) async throws -> [String: Value] {
        try await withThrowingTaskGroup(of: (String, Value).self) { group in
            for (index, device) in devices.enumerated() {
                group.addTask {
                    let value = try await body(device, index)
                    return (try device.installation, value)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    func end() async {
        for device in devices { await device.end() }
    }
}
