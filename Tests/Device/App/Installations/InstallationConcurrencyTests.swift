import Dispatch
import Foundation
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@testable import HearthApp

@Suite("Many callers of one installation")
struct InstallationConcurrencyTests {
    private func app(_ device: TestDevice) -> FirebaseApp {
        let app = FirebaseApp.configure(
            name: "races-\(UUID().uuidString)", options: TestDevice.options(), environment: device.environment())
        app.callbackQueue = DispatchQueue(label: "callbacks")
        return app
    }

    /// A server that holds its answers back until the gate is opened.
    private func gated(_ device: TestDevice) -> DispatchSemaphore {
        let open = DispatchSemaphore(value: 0)
        let server = InstallationServer()
        device.transport.answer { request in
            open.wait()
            open.signal()
            return server.answer(request)
        }
        return open
    }

    @Test("asking for the id begins the registration, which a deletion afterwards takes back")
    func background() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        try await installations.installationID()
        try await installations.delete()
        #expect(device.transport.requests.map(\.method) == ["POST", "DELETE"])
        _ = await app.delete()
    }

    @Test("the id is there while its registration still waits for the server")
    func identifier() async throws {
        let device = try TestDevice()
        let open = gated(device)
        let app = app(device)
        let installations = Installations.installations(app: app)
        let id = try await installations.installationID()
        #expect(try await installations.installationID() == id)
        open.signal()
        #expect(try await installations.authToken().authToken == "auth-1")
        #expect(device.transport.requests.count == 1)
        _ = await app.delete()
    }

    @Test("callers during a forced renewal share it")
    func forced() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        try await installations.authToken()
        let open = gated(device)
        let tokens = Mutex<[String?]>([])
        await withCheckedContinuation { continuation in
            let completion: @Sendable (InstallationsAuthTokenResult?, (any Error)?) -> Void = { result, _ in
                let count = tokens.withLock { tokens in
                    tokens.append(result?.authToken)
                    return tokens.count
                }
                if count == 20 { continuation.resume() }
            }
            for index in 0..<20 {
                installations.authTokenForcingRefresh(index % 2 == 0, completion: completion)
            }
            open.signal()
        }
        #expect(Set(tokens.withLock { $0 }) == ["auth-1"])
        #expect(device.transport.requests.count == 2)
        _ = await app.delete()
    }

    @Test("callers share a failure too, and the next one tries again")
    func failure() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let open = DispatchSemaphore(value: 0)
        device.transport.answer { _ throws(TransportError) in
            open.wait()
            open.signal()
            throw TransportError(.couldNotConnect, "no network")
        }
        let failures = Atomic(0)
        await withCheckedContinuation { continuation in
            for _ in 0..<20 {
                installations.authToken { _, error in
                    guard error?.localizedDescription == "no network" else { return }
                    if failures.add(1, ordering: .relaxed).newValue == 20 { continuation.resume() }
                }
            }
            open.signal()
        }
        #expect(device.transport.requests.count == 1)
        await #expect(throws: (any Error).self) { try await installations.authToken() }
        #expect(device.transport.requests.count == 2)
        _ = await app.delete()
    }

    @Test("who asks for a token after asking for deletion gets the new identity's")
    func deletion() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let open = gated(device)
        let tokens: [String?] = await withCheckedContinuation { continuation in
            let found = Mutex<[String?]>([])
            installations.authToken { result, _ in found.withLock { $0.append(result?.authToken) } }
            installations.delete { _ in }
            installations.authToken { result, _ in
                found.withLock { $0.append(result?.authToken) }
                continuation.resume(returning: found.withLock { $0 })
            }
            open.signal()
        }
        #expect(tokens == ["auth-1", "auth-2"])
        #expect(device.transport.requests.map(\.method) == ["POST", "DELETE", "POST"])
        _ = await app.delete()
    }

    @Test("a blocking caller gets the same as the others")
    func blocking() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let token: Result<String, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try installations.blockingAuthToken(forcingRefresh: false) })
            }
        }
        #expect(try token.get() == "auth-1")
        _ = await app.delete()
    }

    @Test("a blocking caller that is not wanted any more need not wait, and the fetch serves the others")
    func blockingCancelled() async throws {
        struct Stopped: Error {}
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let open = gated(device)
        let token: Result<String, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result {
                        try installations.blockingAuthToken(forcingRefresh: false) { throw Stopped() }
                    })
            }
        }
        #expect(throws: Stopped.self) { try token.get() }
        open.signal()
        #expect(try await installations.authToken().authToken == "auth-1")
        #expect(device.transport.requests.count == 1)
        _ = await app.delete()
    }

    @Test("an app that is deleted is not kept alive by its installations")
    func released() async throws {
        let device = try TestDevice()
        weak var released: FirebaseApp?
        weak var alsoReleased: Installations?
        do {
            let app = app(device)
            let installations = Installations.installations(app: app)
            (released, alsoReleased) = (app, installations)
            _ = try await installations.authToken()
            #expect(await app.delete())
            // What was asked for late is nobody's but the caller's.
            #expect(Installations.installations(app: app) !== installations)
            await drain(app.callbackQueue)
        }
        #expect(released == nil && alsoReleased == nil)
    }

    /// Waits until what was queued is done and let go of.
    private func drain(_ queue: DispatchQueue) async {
        for _ in 0..<2 { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
    }
}
