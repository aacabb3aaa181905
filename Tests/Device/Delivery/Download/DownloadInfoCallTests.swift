import HearthApp
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("What a device tells when it asks for a model", .limitedTime)
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

    @Test("all of it with the question, none of it anywhere else")
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

    @Test("a test's device tells the system and nothing of the machine that the test runs on")
    func plain() async throws {
        _ = try await device.get()
        #expect(sentHeaders(try #require(host.requests(.info).first)) == ["x-hearth-os": "linux"])
    }

    @Test("a change counts from the next question on, also within a download that is tried again")
    func changes() async throws {
        let device = device
        host.fail(.info, with: .status(503))
        host.on(.info) { _, _ in try? device.app.deviceDescription.setTags(["later"]) }
        _ = try await device.get()
        #expect(host.requests(.info).map { sentHeaders($0)["x-hearth-tags"] } == [nil, "later"])
    }

    @Test("without the user's leave the server hears neither language nor country")
    func dataCollection() async throws {
        try described()
        device.app.isDataCollectionDefaultEnabled = false
        _ = try await device.get()
        let names = Set(sentHeaders(try #require(host.requests(.info).first)).keys)
        #expect(names == ["x-hearth-app-version", "x-hearth-os", "x-hearth-tags"])
    }
}
