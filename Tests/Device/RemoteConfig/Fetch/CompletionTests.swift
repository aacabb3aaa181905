import Dispatch
import Foundation
import HearthApp
import HearthTestSupport
import Testing

@testable import HearthRemoteConfig

@Suite("Callbacks to apps", .limitedTime)
struct CompletionTests {
    private let key = DispatchSpecificKey<Bool>()

    private func marked(_ device: TestDevice) -> RemoteConfig {
        let config = device.config()
        config.core.app.callbackQueue.setSpecific(key: key, value: true)
        return config
    }

    private var isOnCallbackQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test("Fetches on the app's callback queue, activating on another one")
    func queues() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = marked(device)
        let status = await withCheckedContinuation { continuation in
            config.fetch { status, error in
                #expect(self.isOnCallbackQueue && error == nil)
                continuation.resume(returning: status)
            }
        }
        #expect(status == .success)
        let isNew = await withCheckedContinuation { continuation in
            config.activate { isNew, error in
                #expect(!self.isOnCallbackQueue && error == nil)
                continuation.resume(returning: isNew)
            }
        }
        #expect(isNew)
        let error = await withCheckedContinuation { continuation in
            config.ensureInitialized { error in
                #expect(!self.isOnCallbackQueue)
                continuation.resume(returning: error == nil)
            }
        }
        #expect(error)
    }

    @Test("Fetching and activating: a success even when the values were fresh, an error when the fetch failed")
    func fetchAndActivate() async throws {
        let device = try TestDevice()
        device.server.answer("{}", status: 403)
        let config = marked(device)
        let failed = await withCheckedContinuation { continuation in
            config.fetchAndActivate { status, error in
                #expect(self.isOnCallbackQueue && error != nil)
                continuation.resume(returning: status)
            }
        }
        #expect(failed == .error)
        await #expect {
            try await config.fetchAndActivate()
        } throws: { RemoteConfigError.internalError ~= $0 }
        device.server.serve(["a": "1"], version: 1)
        #expect(try await config.fetchAndActivate() == .successFetchedFromRemote)
        #expect(try await config.fetchAndActivate() == .successFetchedFromRemote)
    }

    @Test("Callers may ignore the result")
    func withoutCompletion() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        config.fetch(completionHandler: nil)
        config.fetchAndActivate(completionHandler: nil)
        config.activate(completion: nil)
        try await config.ensureInitialized()
    }

    @Test("An activation of new values posts a notification with the app's name")
    func notification() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        let name = config.core.app.name
        let (names, continuation) = AsyncStream<String>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRRemoteConfigActivateNotification"), object: nil, queue: nil
        ) { notification in
            if let found = notification.userInfo?["FIRAppNameKey"] as? String, found == name {
                continuation.yield(found)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await config.fetchAndActivate()
        var iterator = names.makeAsyncIterator()
        #expect(await iterator.next() == name)
    }
}

@Suite("Names and numbers that apps rely on")
struct PublicNameTests {
    @Test("Raw values and domains")
    func numbers() {
        #expect(RemoteConfigFetchStatus.throttled.rawValue == 3 && RemoteConfigSource.static.rawValue == 2)
        #expect(RemoteConfigFetchAndActivateStatus.error.rawValue == 2)
        #expect(RemoteConfigError.throttled.rawValue == 8002 && RemoteConfigUpdateError.unavailable.rawValue == 8004)
        #expect(RemoteConfigCustomSignalsError.limitExceeded.rawValue == 8103)
        #expect(RemoteConfigErrorDomain == "com.google.remoteconfig.ErrorDomain")
        #expect(RemoteConfigUpdateErrorDomain == "com.google.remoteconfig.update.ErrorDomain")
        #expect(RemoteConfigCustomSignalsErrorDomain == "com.google.remoteconfig.customsignals.ErrorDomain")
        #expect(NamespaceGoogleMobilePlatform == "firebase")
        #expect(RemoteConfigThrottledEndTimeInSecondsKey == "error_throttled_end_time_seconds")
    }

    @Test("An error is caught by its name, and by no other")
    func errors() {
        do {
            throw RemoteConfigError.error(.internalError, "text")
        } catch RemoteConfigError.throttled {
            Issue.record("not throttled")
        } catch let error as NSError {
            #expect(error.code == 8003 && error.localizedDescription == "text")
        }
        #expect(!(RemoteConfigError.Code.unknown ~= RemoteConfigUpdateError.error(.streamError)))
    }

    @Test("Settings accept only valid numbers")
    func settings() {
        let settings = RemoteConfigSettings()
        #expect(settings.minimumFetchInterval == 43_200 && settings.fetchTimeout == 60)
        for odd in [-1, -.infinity, .nan] as [Double] {
            (settings.minimumFetchInterval, settings.fetchTimeout) = (odd, odd)
            #expect(settings.minimumFetchInterval == 0 && settings.fetchTimeout == 60)
        }
        (settings.minimumFetchInterval, settings.fetchTimeout) = (10, 5)
        #expect(settings.minimumFetchInterval == 10 && settings.fetchTimeout == 5)
    }

    @Test("The names that apps with A/B tests use")
    func experiments() {
        #expect(ExperimentController.sharedInstance() === ExperimentController.sharedInstance())
        let events = LifecycleEvents()
        #expect(events.setExperimentEventName == "_exp_set" && events.expireExperimentEventName == "_exp_expire")
        events.clearExperimentEventName = "mine"
        #expect(events.clearExperimentEventName == "mine")
    }
}
