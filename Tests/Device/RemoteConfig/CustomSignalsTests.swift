import Foundation
import HearthDeviceTestSupport
import Testing

@testable import HearthRemoteConfig

@Suite("Custom signals")
struct CustomSignalsTests {
    private func sent(_ device: TestDevice, _ config: RemoteConfig) async throws -> [String: Any] {
        try await config.fetch(withExpirationDuration: 0)
        return device.server.fetches.last?.json["customSignals"] as? [String: Any] ?? [:]
    }

    @Test("Signals add up, nil removes one, and all are kept after a restart")
    func merging() async throws {
        let device = try TestDevice()
        device.server.serve([:], version: 1)
        var config = device.config()
        try await config.setCustomSignals(["plan": .string("gold"), "age": .integer(7), "weight": .double(2)])
        try await config.setCustomSignals(["plan": nil, "city": "Bern"])
        config = await device.restarted(config)
        let signals = try await sent(device, config)
        #expect(Set(signals.keys) == ["age", "weight", "city"])
        #expect(
            signals["age"] as? Int == 7 && signals["weight"] as? Double == 2 && signals["city"] as? String == "Bern")
    }

    @Test("Each limit is exact")
    func limits() async throws {
        let device = try TestDevice()
        device.server.serve([:], version: 1)
        let config = device.config()
        let key = String(repeating: "k", count: 250)
        let text = String(repeating: "ü", count: 500)
        try await config.setCustomSignals([key: .string(text)])
        let others = Dictionary(
            uniqueKeysWithValues: (0..<99).map { ("s\($0)", Optional(CustomSignalValue.integer($0))) })
        try await config.setCustomSignals(others)
        await refused(config, [key + "k": "x"], .limitExceeded)
        await refused(config, ["": "x"], .limitExceeded)
        await refused(config, ["s1": .string(text + "u")], .limitExceeded)
        await refused(config, ["one too many": 1, "s1": 5], .limitExceeded)
        await refused(config, ["s1": .double(.nan)], .invalidValueType)
        await refused(config, ["s1": .double(.infinity)], .invalidValueType)
        let signals = try await sent(device, config)
        #expect(signals.count == 100 && signals["s1"] as? Int == 1, "a refused change changes nothing")
        #expect(signals[key] as? String == text)
    }

    private func refused(
        _ config: RemoteConfig, _ signals: [String: CustomSignalValue?], _ code: RemoteConfigCustomSignalsError.Code
    ) async {
        await #expect {
            try await config.setCustomSignals(signals)
        } throws: { code ~= $0 }
    }
}
