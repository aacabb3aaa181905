import Dispatch
import Foundation
import HearthDeviceTestSupport
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@testable import HearthApp

@Suite("Installations, as apps use it")
struct InstallationsTests {
    private func app(_ device: TestDevice) -> FirebaseApp {
        let app = FirebaseApp.configure(
            name: "installations-\(UUID().uuidString)", options: TestDevice.options(), environment: device.environment()
        )
        app.callbackQueue = DispatchQueue(label: "callbacks")
        return app
    }

    @Test("Id, token, forced renewal, deletion")
    func async() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let id = try await installations.installationID()
        let first = try await installations.authToken()
        #expect(first.authToken == "auth-1")
        #expect(first.expirationDate == Date(timeIntervalSince1970: Double(TestDevice.start + 604_800)))
        #expect(try await installations.authTokenForcingRefresh(true).authToken == "auth-2")
        #expect(try await installations.authToken().authToken == "auth-2")
        try await installations.delete()
        #expect(try await installations.installationID() != id)
        _ = await app.delete()
    }

    @Test("Completions come on the app's callback queue, with a value or an error")
    func completions() async throws {
        let device = try TestDevice()
        let app = app(device)
        let key = DispatchSpecificKey<Bool>()
        app.callbackQueue.setSpecific(key: key, value: true)
        device.transport.answer { _ throws(TransportError) in throw TransportError(.timedOut, "too slow") }
        let installations = Installations.installations(app: app)
        let id: String? = await withCheckedContinuation { continuation in
            installations.installationID { id, error in
                #expect(error == nil && DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: id)
            }
        }
        #expect(id?.count == 22)
        let text: String? = await withCheckedContinuation { continuation in
            installations.authToken { token, error in
                #expect(token == nil && DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: error?.localizedDescription)
            }
        }
        #expect(text == "too slow")
        let isDeleted: Bool = await withCheckedContinuation { continuation in
            installations.delete {
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: $0 == nil)
            }
        }
        #expect(isDeleted)
        _ = await app.delete()
    }

    @Test("Many tasks at the same time register once and get one token")
    func concurrent() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let tokens = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await installations.authToken().authToken } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["auth-1"])
        #expect(device.transport.requests.count == 1)
        _ = await app.delete()
    }

    @Test("Two clients of one folder, on many threads, register once")
    func twoClients() throws {
        let device = try TestDevice()
        let clients = [device.client(), device.client()]
        DispatchQueue.concurrentPerform(iterations: 20) { index in
            let token = try? clients[index % 2].authToken(forcingRefresh: false).token
            #expect(token == "auth-1")
        }
        #expect(device.transport.requests.count == 1)
    }

    #if compiler(>=6.3)  // Swift Testing lends values to another process from Swift 6.3 on.
        @Test("Three processes that share a folder register once", .limitedTime)
        func processes() async throws {
            let folder = try TemporaryFolder()
            try await withThrowingTaskGroup { group in
                for number in 0..<3 {
                    let path = folder.path
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                            try OneProcess.register(folder: path, number: number)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let answers = try (0..<3).map { try String(contentsOfFile: folder.path + "/answer-\($0)", encoding: .utf8) }
            #expect(Set(answers).count == 1)
            let registrations = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("registration-") }
            #expect(registrations.count == 1)
        }
    #endif
}

private enum OneProcess {
    /// Gets a token from a separate server that writes a file per registration, and records the token.
    static func register(folder: String, number: Int) throws {
        let server = InstallationServer()
        let transport = ScriptedTransport { request in
            _ = FileManager.default.createFile(atPath: folder + "/registration-\(UUID().uuidString)", contents: nil)
            return server.answer(request)
        }
        let device = try TestDevice(transport)
        let options = TestDevice.options()
        let client = InstallationClient(
            folder: folder + "/app", options: options, environment: device.environment())
        let answer = try client.installationID() + " " + client.authToken(forcingRefresh: false).token
        try answer.write(toFile: folder + "/answer-\(number)", atomically: true, encoding: .utf8)
    }
}

@Suite("The notification of a changed id")
struct InstallationIDNotificationTests {
    @Test("The names are the original's, the odd key too")
    func names() {
        #expect(NSNotification.Name.InstallationIDDidChange.rawValue == "FIRInstallationIDDidChangeNotification")
        #expect(InstallationIDDidChangeAppNameKey == "FIRInstallationIDDidChangeNotification")
    }

    @Test("Posted when the id is made, replaced by the server, or deleted; otherwise not")
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

    @Test("Posted on the app's callback queue with the app's name, before the completion")
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
