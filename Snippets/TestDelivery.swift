import Foundation
import Hearth
import HearthDeliveryTesting
import Testing

/// The code under test: the newest model if the server has one, otherwise the installed one, otherwise none.
func bestModel(_ downloader: ModelDownloader) async -> CustomModel? {
    if let newest = try? await downloader.getModel(name: "digits", downloadType: .latestModel) { return newest }
    return try? await downloader.getModel(name: "digits", downloadType: .localModel)
}

@Suite("The app and its model")
struct ModelTests {
    let host = ModelHost()

    @Test("An interrupted update leaves the old model, and succeeds the next time")
    func brokenUpdate() async throws {
        let device = try TestDevice(host: host)
        host.publish(Data("version 1".utf8), as: "digits")
        let old = await bestModel(device.downloader)
        host.publish(Data("version 2".utf8), as: "digits")
        host.fail(.file, with: .disconnect(afterBytes: 0), times: nil)
        #expect(await bestModel(device.downloader) == old)
        host.endFaults()
        #expect(await bestModel(device.downloader) != old)
    }

    @Test("On a full disk, the app keeps its model")
    func fullDisk() async throws {
        let device = try TestDevice(host: host)
        host.publish(Data("version 1".utf8), as: "digits")
        let old = await bestModel(device.downloader)
        host.publish(Data("version 2".utf8), as: "digits")
        device.disk.fail(with: .full())
        #expect(await bestModel(device.downloader) == old)
    }

    @Test("After a restart without a network, the app has its model")
    func offlineStart() async throws {
        var device = try TestDevice(host: host, name: "app")
        host.publish(Data("version 1".utf8), as: "digits")
        let model = await bestModel(device.downloader)
        host.goOffline()
        device = try TestDevice(host: host, name: "app", sharingStoreOf: device)
        #expect(await bestModel(device.downloader) == model)
    }

    @Test("Progress shows during the transfer")
    func progress() async throws {
        let device = try TestDevice(host: host)
        host.publish(Data(count: 100_000), as: "digits")
        let held = host.hold(.file, afterBytes: 50_000)
        async let model = device.downloader.getModel(name: "digits", downloadType: .latestModel)
        await held.waitUntilReached()
        for await state in device.downloader.states(ofModel: "digits") {
            if case .downloading(let fraction) = state, fraction > 0.4 { break }
        }
        held.release()
        #expect(try await model.size == 100_000)
    }
}
