import Dispatch
import Foundation
import HearthTestSupport
import HearthTransport
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

    @Test("id, token, forced renewal, deletion")
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

    @Test("completions come on the app's callback queue, with a value or an error")
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

    @Test("many tasks at once register once and see one token")
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

    @Test("two clients of one folder, on many threads, register once")
    func twoClients() throws {
        let device = try TestDevice()
        let clients = [device.client(), device.client()]
        DispatchQueue.concurrentPerform(iterations: 20) { index in
            let token = try? clients[index % 2].authToken(forcingRefresh: false).token
            #expect(token == "auth-1")
        }
        #expect(device.transport.requests.count == 1)
    }

    @Test("three processes that share a folder register once", .limitedTime)
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
}

private enum OneProcess {
    /// Gets a token with a server of its own that leaves a file per registration, and writes down what it got.
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
