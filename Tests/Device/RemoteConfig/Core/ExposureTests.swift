import Foundation
import HearthApp
import HearthDeviceTestSupport
import HearthEvents
import HearthWire
import Testing

@testable import HearthRemoteConfig

@Suite("Using the values of an experiment")
struct ExposureTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private static func experiment(
        _ id: String = "colours", _ variant: String = "red", keys: [String] = ["colour"]
    ) -> RemoteConfigExperiment {
        RemoteConfigExperiment(
            experimentId: id, variantId: variant, experimentStartTime: "2026-01-01T00:00:00.000Z",
            affectedParameterKeys: keys)
    }

    /// What the server knows when the device has sent everything.
    private func exposures(_ config: RemoteConfig) async throws -> [String] {
        try await Analytics.analytics(app: config.core.app).sendPendingEvents()
        return device.server.exposures.map { "\($0.experiment)/\($0.variant)" }
    }

    @Test("The first use of a value is reported, once for each activation, also over restarts")
    func once() async throws {
        device.server.serve(["colour": "#f00", "size": "3"], version: 1, experiments: [Self.experiment()])
        var config = device.config()
        config.setDefaults(["colour": "none" as NSString])
        try await config.fetch()
        _ = config["colour"]
        #expect(try await exposures(config) == [], "values that are not active are not used")
        try await config.activate()
        _ = config["size"]
        _ = config.allKeys(from: .remote)
        _ = config.defaultValue(forKey: "colour")
        _ = config.configValue(forKey: "colour", source: .default)
        #expect(try await exposures(config) == [], "nor are values that the app does not read")
        #expect(config["colour"].stringValue == "#f00")
        #expect(config["colour"].stringValue == "#f00")
        #expect(try await exposures(config) == ["colours/red"])
        #expect(device.server.exposures.first?.start == "2026-01-01T00:00:00.000Z")
        config = await device.restarted(config)
        _ = config["colour"]
        #expect(try await exposures(config) == ["colours/red"])
        device.server.serve(
            ["colour": "#00f"], version: 2, experiments: [Self.experiment("colours", "blue")])
        try await config.fetch(withExpirationDuration: 0)
        try await config.activate()
        _ = config["colour"]
        #expect(try await exposures(config) == ["colours/red", "colours/blue"])
    }

    /// Every way to read the parameter `colour`.
    enum Reading: CaseIterable {
        case subscripting, value, remoteValue, typed, json, structure

        func read(_ config: RemoteConfig) throws {
            struct Colours: Decodable { var colour: String }
            switch self {
            case .subscripting: _ = config["colour"]
            case .value: _ = config.configValue(forKey: "colour")
            case .remoteValue: _ = config.configValue(forKey: "colour", source: .remote)
            case .typed: _ = config[decodedValue: "colour"] as String?
            case .json: _ = config[jsonValue: "colour"]
            case .structure: #expect(try config.decoded(asType: Colours.self).colour == "#f00")
            }
        }
    }

    @Test("Every way of reading a value counts as its use", arguments: Reading.allCases)
    func readings(reading: Reading) async throws {
        let experiments = [Self.experiment(), Self.experiment("sizes", "big", keys: ["size"])]
        device.server.serve(["colour": "#f00", "size": "3"], version: 1, experiments: experiments)
        let config = device.config()
        try await config.fetchAndActivate()
        try reading.read(config)
        let reported = try await exposures(config)
        #expect(reported == ["colours/red"])
    }

    @Test("A variant that leaves the parameter to the app counts too")
    func appsDefault() async throws {
        device.server.serve([:], version: 1, experiments: [Self.experiment()])
        let config = device.config()
        config.setDefaults(["colour": "none" as NSString])
        try await config.fetchAndActivate()
        #expect(config["colour"].stringValue == "none")
        #expect(try await exposures(config) == ["colours/red"])
    }

    @Test("Several experiments, and several keys of one")
    func several() async throws {
        let experiments = [
            Self.experiment("one", "a", keys: ["colour", "size"]), Self.experiment("two", "b", keys: ["size"]),
            Self.experiment("three", "c", keys: []),
        ]
        device.server.serve(["colour": "#f00"], version: 1, experiments: experiments)
        let config = device.config()
        try await config.fetchAndActivate()
        _ = config["colour"]
        #expect(try await exposures(config) == ["one/a"])
        _ = config["size"]
        #expect(try await exposures(config) == ["one/a", "two/b"])
    }

    @Test(
        "An experiment that begins or ends without changed values counts from the activation on, without other effects"
    )
    func sameValues() async throws {
        device.server.serve(["colour": "#f00"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        let description = #"""
            {"state":"NO_CHANGE","templateVersion":"2","experimentDescriptions":[{"experimentId":"colours",
             "variantId":"red","experimentStartTime":"2026-01-01T00:00:00.000Z","triggerTimeoutMillis":"1",
             "timeToLiveMillis":"1","affectedParameterKeys":["colour"]}]}
            """#
        device.server.answer(description)
        try await config.fetch(withExpirationDuration: 0)
        _ = config["colour"]
        #expect(try await exposures(config) == [])
        #expect(try await !config.activate(), "the app sees nothing new")
        _ = config["colour"]
        #expect(try await exposures(config) == ["colours/red"])
        device.server.answer(#"{"state":"NO_CHANGE","templateVersion":"3"}"#)
        try await config.fetch(withExpirationDuration: 0)
        try await config.activate()
        Analytics.analytics(app: config.core.app).resetAnalyticsData()
        _ = config["colour"]
        #expect(try await exposures(config) == ["colours/red"], "it has ended")
    }

    @Test("Without permission to collect data, no exposure is reported")
    func notCollected() async throws {
        device.server.serve(["colour": "#f00"], version: 1, experiments: [Self.experiment()])
        let config = device.config()
        config.core.app.isDataCollectionDefaultEnabled = false
        try await config.fetchAndActivate()
        _ = config["colour"]
        #expect(try await exposures(config) == [])
    }
}
