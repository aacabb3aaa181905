import HearthApp
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("The device description in requests for a model", .limitedTime)
struct DescriptionTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
    }

    private func described() throws {
        try device.app.deviceDescription.setAppVersion("2.10.0")
        try device.app.deviceDescription.setLanguage("de-CH")
        try device.app.deviceDescription.setCountry("CH")
        try device.app.deviceDescription.setTags(["beta", "kiosk"])
    }

    private func sentHeaders(_ request: TransportRequest) -> [String: String] {
        Dictionary(uniqueKeysWithValues: request.headers.filter { $0.0.hasPrefix("x-hearth-") })
    }

    @Test("The whole description is in the call about the model, and in no other")
    func headers() async throws {
        try described()
        _ = try await device.get()
        let info = try #require(host.requests(.info).first)
        #expect(
            sentHeaders(info) == [
                "x-hearth-app-version": "2.10.0", "x-hearth-os": "linux", "x-hearth-language": "de-CH",
                "x-hearth-country": "CH", "x-hearth-tags": "beta,kiosk",
            ])
        let others = host.requests(.file) + host.requests(.installation)
        #expect(others.count == 2)
        #expect(others.allSatisfy { sentHeaders($0).isEmpty })
    }

    @Test("A test's device sends its system, but no data of the machine that runs the test")
    func plain() async throws {
        _ = try await device.get()
        #expect(sentHeaders(try #require(host.requests(.info).first)) == ["x-hearth-os": "linux"])
    }

    @Test("A change applies from the next request on, even during a download that is retried")
    func changes() async throws {
        let device = device
        host.fail(.info, with: .status(503))
        host.on(.info) { _, _ in try? device.app.deviceDescription.setTags(["later"]) }
        _ = try await device.get()
        #expect(host.requests(.info).map { sentHeaders($0)["x-hearth-tags"] } == [nil, "later"])
    }

    @Test("Without the user's permission the server gets neither language nor country")
    func dataCollection() async throws {
        try described()
        device.app.isDataCollectionDefaultEnabled = false
        _ = try await device.get()
        let names = Set(sentHeaders(try #require(host.requests(.info).first)).keys)
        #expect(names == ["x-hearth-app-version", "x-hearth-os", "x-hearth-tags"])
    }
}
