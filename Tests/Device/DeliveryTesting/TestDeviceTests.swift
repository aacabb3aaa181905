import Dispatch
import Foundation
import HearthApp
import HearthDelivery
import HearthDeliveryTesting
import HearthModelSource
import Testing

@Suite("The test device", .serialized)
struct TestDeviceTests {
    @Test("A separate app with a server and a store, all removed at the end")
    func ownApp() async throws {
        var device: TestDevice? = try TestDevice()
        let name = try #require(device?.app.name)
        device?.host.publish(Sample.old, as: "digits")
        let model = try #require(try await device?.get())
        #expect(model.contents == Sample.old)
        #expect(FirebaseApp.app(name: name) === device?.app)
        device = nil
        #expect(FirebaseApp.app(name: name) == nil)
        #expect(model.contents == nil)
    }

    @Test("The default app, for code that uses no other")
    func defaultApp() async throws {
        let device = try TestDevice(isDefaultApp: true)
        device.host.publish(Sample.old, as: "digits")
        #expect(FirebaseApp.app() === device.app)
        let model = try await ModelDownloader.modelDownloader().getModel(name: "digits", downloadType: .latestModel)
        #expect(model.contents == Sample.old)
        let error = #expect(throws: TestDeviceError.self) { try TestDevice(isDefaultApp: true) }
        #expect(error?.code == .appExists)
    }

    @Test("A name that is taken or invalid")
    func names() throws {
        let device = try TestDevice(name: "kiosk-1")
        #expect(device.app.name == "kiosk-1")
        #expect(throws: TestDeviceError.self) { try TestDevice(name: "kiosk-1") }
        for name in ["", "a b", "a/b", "é"] {
            let error = #expect(throws: TestDeviceError.self) { try TestDevice(name: name) }
            #expect(error?.code == .badName)
        }
    }

    @Test("The same app after a restart: it knows what is installed", arguments: [false, true])
    func restart(isDefaultApp: Bool) async throws {
        var device = try TestDevice(name: "restarted", isDefaultApp: isDefaultApp)
        let host = device.host
        host.publish(Sample.old, as: "digits")
        let model = try await device.get()
        device = try TestDevice(host: host, name: "restarted", isDefaultApp: isDefaultApp, sharingStoreOf: device)
        host.goOffline()
        #expect(try await device.get("digits", .localModel) == model)
        #expect((FirebaseApp.app() === device.app) == isDefaultApp)
        #expect(model.contents == Sample.old, "the folder stays while a device uses it")
    }

    @Test("The same store in a second process: both work, and each sees what the other installed")
    func secondProcess() async throws {
        let one = try TestDevice()
        let two = try TestDevice(host: one.host, sharingStoreOf: one)
        one.host.publish(Sample.old, as: "digits")
        let model = try await one.get()
        #expect(try await two.get().hash == model.hash)
        #expect(one.host.requestCount(.file) == 1)
        #expect(FirebaseApp.app(name: one.app.name) === one.app)
    }

    @Test("Callbacks run on the queue that the test chose")
    func callbackQueue() async throws {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let device = try TestDevice(callbackQueue: queue)
        let isThere: Bool = await withCheckedContinuation { continuation in
            device.downloader.listDownloadedModels { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        #expect(isThere)
    }

    @Test("The app's options can be changed")
    func options() async throws {
        let device = try TestDevice { $0.apiKey = nil }
        #expect(device.app.options.apiKey == nil)
        #expect(await device.fails())
    }
}
