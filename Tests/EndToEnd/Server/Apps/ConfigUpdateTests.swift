import Dispatch
import EndToEndDriving
import Foundation
import HearthApp
import HearthRemoteConfig
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

extension EndToEndSuites {
    /// An app hears of changes of its configuration while it runs.
    @Suite struct ConfigUpdateTests {
        private let server: ServerProcess
        private let admin: CurlAdmin

        init() throws {
            server = try ServerProcess()
            admin = try CurlAdmin(server)
        }

        /// What a listener was told, in order.
        private final class Heard: Sendable {
            private let news = Mutex<[Set<String>]>([])
            private let arrived = DispatchSemaphore(value: 0)

            func add(_ keys: Set<String>) {
                news.withLock { $0.append(keys) }
                arrived.signal()
            }

            /// The next news; nil when none comes.
            func next() -> Set<String>? {
                guard arrived.wait(timeout: .now() + 60) == .success else { return nil }
                return news.withLock { $0.removeFirst() }
            }
        }

        private func listeningApp() throws -> FirebaseApp {
            let options = try #require(FirebaseOptions(contentsOfFile: server.deviceFile))
            var environment = DeviceEnvironment.system(options)
            environment.storeFolder = server.data.path + "/device"
            // A device waits for up to three seconds before it fetches what it heard of, so that not all come at once.
            environment.random = { 0 }
            let app = FirebaseApp.configure(name: "listener", options: options, environment: environment)
            app.callbackQueue = DispatchQueue(label: "listener")
            return app
        }

        private func put(greeting: String) throws {
            let reply = try admin.call(
                "\(server.url)/v1/projects/\(admin.key.projectID)/remoteConfig",
                [
                    "-X", "PUT", "-H", "If-Match: *", "-H", "Content-Type: application/json", "-d",
                    #"{"parameters":{"greeting":{"defaultValue":{"value":"\#(greeting)"}}}}"#,
                ])
            #expect(reply.status == 200)
        }

        private func activate(_ config: RemoteConfig) {
            let isDone = DispatchSemaphore(value: 0)
            config.activate { _, _ in isDone.signal() }
            isDone.wait()
        }

        @Test func anAppHearsOfEachNewTemplateOverOneConnection() throws {
            let app = try listeningApp()
            let config = RemoteConfig.remoteConfig(app: app)
            let heard = Heard()
            let registration = config.addOnConfigUpdateListener { update, error in
                heard.add(update?.updatedKeys ?? ["error: \(String(describing: error))"])
            }
            for greeting in ["hello", "welcome", "good morning"] {
                try put(greeting: greeting)
                #expect(heard.next() == ["greeting"])
                activate(config)
                #expect(config["greeting"].stringValue == greeting)
            }
            // A stream that went on would hold the stop up.
            #expect(try server.terminate().exitCode == 0)
            let streams = server.log.split(separator: "\n").filter { $0.contains(":streamFetchInvalidations") }
            #expect(streams.count == 1, "\(streams)")
            registration.remove()
            let isDeleted = DispatchSemaphore(value: 0)
            app.delete { _ in isDeleted.signal() }
            isDeleted.wait()
        }
    }
}
