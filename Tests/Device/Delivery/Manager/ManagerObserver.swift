import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import Testing

@testable import HearthDelivery

/// Observes the download notifications about models of one name, as an app does.
final class ManagerObserver: Sendable {
    struct Event: Sendable {
        let name: NSNotification.Name
        /// The model in `userInfo`.
        let model: ObjectIdentifier
        let error: NSError?
        /// What the manager answered inside of the observer.
        let isDownloaded: Bool
    }

    private let events: AsyncStream<Event>
    private let registrations: [Registration]

    /// Also checks what all notifications have in common: the queue, the object, the types in `userInfo`.
    init(_ modelName: String, on device: TestDevice) {
        let manager = ModelManager.modelManager(app: device.app)
        let key = DispatchSpecificKey<Bool>()
        device.app.callbackQueue.setSpecific(key: key, value: true)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let names: [NSNotification.Name] = [
            .firebaseMLModelDownloadDidSucceed, .firebaseMLModelDownloadDidFail,
            .mlkitMLModelDownloadDidSucceed, .mlkitMLModelDownloadDidFail,
        ]
        registrations = names.map { name in
            Registration(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                    guard
                        let model = notification.userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue]
                            as? RemoteModel,
                        model.name == modelName
                    else { return }
                    #expect(notification.object == nil)
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    let error = notification.userInfo?[ModelDownloadUserInfoKey.error.rawValue]
                    #expect(error == nil || error is NSError)
                    continuation.yield(
                        Event(
                            name: notification.name, model: ObjectIdentifier(model), error: error as? NSError,
                            isDownloaded: manager.isModelDownloaded(model)))
                })
        }
    }

    func next(_ count: Int) async -> [Event] {
        var found: [Event] = []
        for await event in events {
            found.append(event)
            if found.count == count { break }
        }
        return found
    }
}

/// `@unchecked Sendable`: the token is kept here, and given back by the one thread that releases this last.
private final class Registration: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }

    deinit { NotificationCenter.default.removeObserver(token) }
}
