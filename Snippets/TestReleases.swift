import Foundation
import Hearth
import HearthDeliveryTesting
import Testing

@Suite("The beta programme")
struct BetaTests {
    @Test("A beta device gets the new version, and the old one after the programme")
    func beta() async throws {
        let host = ModelHost()
        let device = try TestDevice(host: host)
        host.publish(Data("version 1".utf8), as: "digits")
        host.publish(Data("version 2".utf8), as: "digits") { $0.tags.contains("beta") }
        try device.app.deviceDescription.setTags(["beta"])
        #expect(try await device.downloader.getModel(name: "digits", downloadType: .latestModel).version == 2)
        try device.app.deviceDescription.setTags([])
        #expect(try await device.downloader.getModel(name: "digits", downloadType: .latestModel).version == 1)
        #expect(host.lastDescription?.tags == [])
    }
}
