import Foundation
import HearthApp
import HearthDelivery
import HearthDeliveryTesting
import Testing

@Suite("A model host that aims")
struct ModelHostTargetingTests {
    private let host = ModelHost()

    @Test("each device gets the newest version that is meant for it")
    func conditions() async throws {
        host.publish(Sample.old, as: "digits")
        host.publish(Sample.new, as: "digits") { $0.tags.contains("beta") && $0.operatingSystem == "linux" }
        let (beta, other) = (try TestDevice(host: host), try TestDevice(host: host))
        try beta.app.deviceDescription.setTags(["beta"])
        #expect(try await beta.get().contents == Sample.new)
        #expect(try await other.get().contents == Sample.old)
    }

    @Test("a model that is meant for others is not there")
    func nobody() async throws {
        let device = try TestDevice(host: host)
        host.publish(Sample.old, as: "digits") { $0.country == "CH" }
        #expect(await device.fails())
        try device.app.deviceDescription.setCountry("CH")
        #expect(try await device.get().version == 1)
    }

    @Test("what was told last can be looked at")
    func lastDescription() async throws {
        let device = try TestDevice(host: host)
        #expect(host.lastDescription == nil)
        host.publish(Sample.old, as: "digits")
        try device.app.deviceDescription.setAppVersion("2.10.0")
        try device.app.deviceDescription.setTags(["a", "b"])
        _ = try await device.get()
        #expect(host.lastDescription == device.app.deviceDescription)
    }

    @Test("back to the version before, with its number, and from the first one to nothing")
    func rollBack() async throws {
        let device = try TestDevice(host: host)
        host.publish(Sample.old, as: "digits")
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().version == 2)
        host.rollBack("digits")
        #expect(try await device.get().version == 1)
        host.rollBack("digits")
        #expect(await device.fails())
        host.rollBack("digits")
        host.rollBack("none")
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().version == 3, "numbers are never given twice")
    }

    @Test("a condition may look at the host")
    func reentrant() async throws {
        let device = try TestDevice(host: host)
        let host = host
        host.publish(Sample.old, as: "digits") { _ in host.requestCount(.info) == 1 && host.lastDescription != nil }
        #expect(try await device.get().contents == Sample.old)
        #expect(await device.fails())
    }
}
