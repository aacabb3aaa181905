import Dispatch
import Foundation
import HearthFiles
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthApp

/// Serialized, because the registry of apps belongs to the process. The names are used only in these tests.
@Suite("Apps", .serialized)
struct FirebaseAppTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private func configure(_ name: String, _ options: FirebaseOptions = TestDevice.options()) -> FirebaseApp {
        FirebaseApp.configure(name: name, options: options, environment: device.environment())
    }

    @Test("Configured once, found by its name, removed by delete")
    func lifecycle() async {
        let name = "apps-lifecycle_1"
        #expect(FirebaseApp.app(name: name) == nil)
        let app = configure(name)
        #expect(FirebaseApp.app(name: name) === app)
        #expect(FirebaseApp.allApps?[name] === app)
        #expect(app.name == name)
        #expect(await app.delete())
        #expect(FirebaseApp.app(name: name) == nil)
        #expect(FirebaseApp.allApps?[name] == nil)
        #expect(await !app.delete())
        let again = configure(name)
        #expect(again !== app)
        #expect(await again.delete())
    }

    @Test("Delete calls back before it returns and posts the name")
    func deletion() throws {
        let app = configure("apps-deletion")
        let posted = Mutex<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRAppDeleteNotification"), object: nil, queue: nil
        ) { notification in
            // Other tests delete their own apps meanwhile.
            guard let name = notification.userInfo?["FIRAppNameKey"] as? String, name == "apps-deletion" else { return }
            posted.withLock { $0.append(name) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var results: [Bool] = []
        app.delete { results.append($0) }
        app.delete { results.append($0) }
        #expect(results == [true, false])
        #expect(posted.withLock { $0 } == ["apps-deletion"])
    }

    @Test("Configuring posts name, kind and app id before it returns, when the app can be found")
    func ready() async throws {
        let seen = Mutex<[(Bool, String, Bool)]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRAppReadyToConfigureSDKNotification"), object: nil, queue: nil
        ) { notification in
            guard let info = notification.userInfo, info["FIRAppNameKey"] as? String == "apps-ready" else { return }
            let isFound = FirebaseApp.registered("apps-ready") != nil
            let appID = info["FIRGoogleAppIDKey"] as? String ?? ""
            let isDefault = (info["FIRAppIsDefaultAppKey"] as? NSNumber)?.boolValue ?? true
            seen.withLock { $0.append((isFound, appID, isDefault)) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let app = configure("apps-ready")
        let posted = seen.withLock { $0 }
        #expect(posted.count == 1)
        #expect(try #require(posted.first) == (true, TestDevice.options().googleAppID, false))
        _ = await app.delete()
    }

    @Test("Delete removes the app, then posts, then calls back")
    func deletionOrder() {
        let app = configure("apps-order")
        let steps = Mutex<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRAppDeleteNotification"), object: nil, queue: nil
        ) { notification in
            guard notification.userInfo?["FIRAppNameKey"] as? String == "apps-order" else { return }
            let isForgotten = FirebaseApp.registered("apps-order") == nil
            steps.withLock { $0.append(isForgotten ? "posted" : "posted too early") }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        app.delete { isDeleted in steps.withLock { $0.append("\(isDeleted)") } }
        #expect(steps.withLock { $0 } == ["posted", "true"])
    }

    @Test("An app may be configured and deleted in a notification's observer")
    func observerConfigures() async {
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRAppDeleteNotification"), object: nil, queue: nil
        ) { [device] notification in
            guard notification.userInfo?["FIRAppNameKey"] as? String == "apps-phoenix" else { return }
            FirebaseApp.configure(
                name: "apps-phoenix", options: TestDevice.options(), environment: device.environment())
        }
        let app = configure("apps-phoenix")
        #expect(await app.delete())
        NotificationCenter.default.removeObserver(observer)
        let again = FirebaseApp.registered("apps-phoenix")
        #expect(again != nil && again !== app)
        #expect(await again?.delete() == true)
    }

    @Test("The app's options are a copy in both directions")
    func options() async {
        let options = TestDevice.options()
        let app = configure("apps-options", options)
        options.apiKey = "changed"
        #expect(app.options == TestDevice.options())
        _ = await app.delete()
    }

    @Test("The callback queue is the main queue by default")
    func callbackQueue() async {
        let app = configure("apps-queue")
        #expect(app.callbackQueue.label == DispatchQueue.main.label)
        let queue = DispatchQueue(label: "test")
        app.callbackQueue = queue
        #expect(app.callbackQueue === queue)
        _ = await app.delete()
    }

    @Test("Apps of different names have separate folders in the store")
    func folders() async {
        let one = configure("apps-one")
        let two = configure("apps-two")
        #expect(one.folder != two.folder)
        let options = TestDevice.options()
        options.googleAppID = "1:1:a/../..:ab"
        let odd = configure("apps-odd", options)
        for app in [one, two, odd] {
            #expect(FilePath.folder(of: app.folder) == device.folder.path)
            _ = await app.delete()
        }
    }

    @Test(
        "App ids have four parts",
        arguments: [
            ("1:1234567890:ios:0123456789abcdef", true), ("2:1:web:F", true), ("", false), ("1:1:ios", false),
            ("1:1:ios:", false), ("1:1::a", false), ("x:1:ios:a", false), ("1:x:ios:a", false), ("1:1:ios:xyz", false),
            ("1:1:ios:a:b", false), ("-1:1:ios:a", false), ("1:+1:ios:a", false), ("1:1:ios:ａ", false),
            ("1:99999999999999999999:ios:a", false),
            ("2:anything", true), ("12:", true), (":1", false), ("2", false), ("２:1:ios:a", false),
        ])
    func appIDs(text: String, isValid: Bool) {
        #expect(FirebaseApp.isAppID(text) == isValid)
    }

    @Test("The same installations object for the same app")
    func installations() async {
        let app = configure("apps-installations")
        #expect(Installations.installations(app: app) === Installations.installations(app: app))
        _ = await app.delete()
        let again = configure("apps-installations")
        #expect(Installations.installations(app: app) !== Installations.installations(app: again))
        _ = await again.delete()
    }
}
