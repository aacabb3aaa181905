import Dispatch
import Foundation
import HearthClient
import HearthConcurrency
import HearthDeliveryTesting
import HearthDeviceTestSupport
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

    /// A server that delays its answers until the gate is opened.
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

    @Test("Requesting the id begins the registration, which a later deletion reverses")
    func background() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        try await installations.installationID()
        try await installations.delete()
        #expect(device.transport.requests.map(\.method) == ["POST", "DELETE"])
        _ = await app.delete()
    }

    @Test("The id is available while its registration waits for the server")
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

    @Test("Callers during a forced renewal share it")
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

    @Test("Callers share a failure too, and the next one makes another attempt")
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

    @Test("A token request after a deletion request gets the new identity's token")
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

    /// The result of a caller that blocks its thread.
    private func identity(
        _ installations: Installations, _ device: TestDevice, cancellation: Cancellation? = nil
    ) async -> Result<InstallationIdentity, ClientError> {
        let deadline = Deadline(seconds: 60, clock: device.clock)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(ClientError) in
                        try installations.identity(renewing: false, deadline: deadline, cancellation: cancellation)
                    })
            }
        }
    }

    @Test("A blocking caller gets the same as the others")
    func blocking() async throws {
        let device = try TestDevice()
        let app = app(device)
        let identity = try await identity(Installations.installations(app: app), device).get()
        #expect(identity.token == "auth-1")
        #expect(try await identity.id == Installations.installations(app: app).installationID())
        _ = await app.delete()
    }

    @Test("A cancelled blocking caller does not wait, and the other callers get the token")
    func blockingCancelled() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let open = gated(device)
        let cancellation = Cancellation()
        async let result = identity(installations, device, cancellation: cancellation)
        cancellation.cancel()
        guard case .failure(.cancelled) = await result else {
            Issue.record("not cancelled")
            return
        }
        open.signal()
        #expect(try await installations.authToken().authToken == "auth-1")
        #expect(device.transport.requests.count == 1)
        _ = await app.delete()
    }

    @Test("A blocking caller waits until its deadline, and no longer")
    func blockingDeadline() async throws {
        let device = try TestDevice()
        let app = app(device)
        let open = gated(device)
        async let result = identity(Installations.installations(app: app), device)
        // Repeated, because the caller may begin to wait after the first time.
        let time = Task.detached {
            while !Task.isCancelled {
                device.clock.advance(bySeconds: 61)
                await Task.yield()
            }
        }
        let outcome = await result
        time.cancel()
        await time.value
        guard case .failure(.noTokenInTime) = outcome else {
            Issue.record("it did not time out")
            return
        }
        open.signal()
        _ = await app.delete()
    }

    @Test("Deleting the app ends a call that waits for the server")
    func deletedDuringCall() async throws {
        let device = try TestDevice()
        let app = app(device)
        let installations = Installations.installations(app: app)
        let reached = DispatchSemaphore(value: 0)
        device.transport.answer { request throws(TransportError) in
            reached.signal()
            request.cancellation?.wait(seconds: .infinity)
            throw TransportError(.cancelled, "cancelled")
        }
        async let token = installations.authToken()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                reached.wait()
                continuation.resume()
            }
        }
        _ = await app.delete()
        do {
            _ = try await token
            Issue.record("there is a token")
        } catch InstallationsErrorCode.serverUnreachable {
        }
    }

    @Test("An app that is deleted is not kept alive by its installations")
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
            // Results of late requests belong only to their caller.
            #expect(Installations.installations(app: app) !== installations)
            await drain(app.callbackQueue)
        }
        #expect(released == nil && alsoReleased == nil)
    }

    /// Waits until the queued work has ended and was released.
    private func drain(_ queue: DispatchQueue) async {
        for _ in 0..<2 { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
    }
}
