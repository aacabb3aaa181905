import Dispatch
import Foundation
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@testable import HearthApp

@Suite("The notification that an id is another one")
struct InstallationIDNotificationTests {
    @Test("the names are the original's, the odd key too")
    func names() {
        #expect(NSNotification.Name.InstallationIDDidChange.rawValue == "FIRInstallationIDDidChangeNotification")
        #expect(InstallationIDDidChangeAppNameKey == "FIRInstallationIDDidChangeNotification")
    }

    @Test("first made, made anew by the server's wish, deleted; nothing when nothing changed")
    func changes() throws {
        let device = try TestDevice()
        let count = Atomic(0)
        let changes = { count.load(ordering: .relaxed) }
        let client = device.client { count.add(1, ordering: .relaxed) }
        _ = try client.installationID()
        #expect(changes() == 1)
        _ = try client.authToken(forcingRefresh: false)
        _ = try client.authToken(forcingRefresh: true)
        _ = try client.installationID()
        #expect(changes() == 1)
        let server = InstallationServer()
        device.transport.answer { $0.url.hasSuffix(":generate") ? .json("{}", status: 401) : server.answer($0) }
        _ = try client.authToken(forcingRefresh: true)
        #expect(changes() == 2)
        try client.delete()
        #expect(changes() == 3)
        try client.delete()
        #expect(changes() == 3)
        device.transport.answer { _ in
            .json(
                #"{"name":"n","fid":"cAAAAAAAAAAAAAAAAAAAAA","refreshToken":"r","authToken":{"token":"t","expiresIn":"604800s"}}"#
            )
        }
        _ = try client.authToken(forcingRefresh: false)
        #expect(changes() == 5, "made here, then given another one by the server")
    }

    @Test("posted on the app's callback queue with the app's name, before the completion")
    func posted() async throws {
        let device = try TestDevice()
        let app = FirebaseApp.configure(
            name: "notified-\(UUID().uuidString)", options: TestDevice.options(), environment: device.environment())
        let key = DispatchSpecificKey<Bool>()
        app.callbackQueue = DispatchQueue(label: "callbacks")
        app.callbackQueue.setSpecific(key: key, value: true)
        let posted = Mutex<[Bool]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .InstallationIDDidChange, object: nil, queue: nil
        ) { notification in
            guard notification.userInfo?[InstallationIDDidChangeAppNameKey] as? String == app.name else { return }
            posted.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let seen: [Bool] = await withCheckedContinuation { continuation in
            Installations.installations(app: app).installationID { _, _ in
                continuation.resume(returning: posted.withLock { $0 })
            }
        }
        #expect(seen == [true])
        _ = await app.delete()
    }
}
