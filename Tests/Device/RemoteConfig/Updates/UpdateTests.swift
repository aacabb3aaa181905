import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthRemoteConfig

@Suite("Updates that the server announces", .limitedTime)
struct UpdateTests {
    private typealias News = (keys: Set<String>?, code: Int?)

    /// The calls of a listener, in order.
    private func listen(_ config: RemoteConfig) -> (AsyncStream<News>.Iterator, ConfigUpdateListenerRegistration) {
        let (stream, continuation) = AsyncStream<News>.makeStream()
        let registration = config.addOnConfigUpdateListener { update, error in
            continuation.yield((update?.updatedKeys, (error as NSError?)?.code))
        }
        return (stream.makeAsyncIterator(), registration)
    }

    private static func announcing(_ version: Int) -> ConfigServer.Script {
        { _ in .json(#"[{"latestTemplateVersionNumber":"\#(version)"}"#) }
    }

    @Test("An announced version is fetched, and listeners get the keys that differ from the active values")
    func update() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1", "b": "1", "c": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.serve(["a": "2", "b": "1", "d": "1"], version: 2)
        device.server.stream([Self.announcing(2)])
        var (news, registration) = listen(config)
        #expect(await news.next()?.keys == ["a", "c", "d"])
        #expect(config["a"].stringValue == "1", "activating is the listener's choice")
        #expect(try await config.activate())
        #expect(config["a"].stringValue == "2")
        registration.remove()
        let fetch = try #require(device.server.fetches.last)
        #expect(fetch.header("x-firebase-rc-fetch-type") == "REALTIME/1")
        #expect(device.clock.waits == [1.5], "devices come at different times")
        let stream = try #require(device.server.streamRequests.first)
        #expect(
            stream.url == "https://config.example.com/v1/projects/demo/namespaces/firebase:streamFetchInvalidations")
        #expect(
            stream.json["lastKnownVersionNumber"] as? String == "1" && stream.json["namespace"] as? String == "firebase"
        )
        #expect(stream.header("x-goog-firebase-installations-auth") == "auth-1")
        #expect(stream.header("if-none-match") == "etag-1-firebase-fetch-1")
    }

    @Test("A version that was fetched already, or that changes nothing, calls no listener")
    func known() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 5)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.answer(#"{"state":"UPDATE","entries":{"a":"1"},"templateVersion":"6"}"#)
        device.server.stream([
            { _ in
                .json(
                    #"""
                    [{"latestTemplateVersionNumber":"5"},{"latestTemplateVersionNumber":"6"},{"featureDisabled":true}
                    """#)
            }
        ])
        var (news, _) = listen(config)
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.unavailable.rawValue)
        #expect(device.server.fetches.count == 2)
        #expect(device.server.abortedStreamCount == 1, "no test waits for the end of a stream without further messages")
    }

    @Test("Entering, leaving or changing an experiment's variant reports its keys, even if no value differs")
    func experiments() async throws {
        let device = try TestDevice()
        func experiment(_ variant: String, month: String = "01") -> RemoteConfigExperiment {
            RemoteConfigExperiment(
                experimentId: "colours", variantId: variant, experimentStartTime: "2026-\(month)-01T00:00:00.000Z",
                affectedParameterKeys: ["a"])
        }
        device.server.serve(["a": "1", "b": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        // The fourth one is another experiment, with the name of a deleted one.
        let steps = [
            (2, [experiment("control")]), (3, [experiment("same")]), (4, [experiment("same", month: "02")]), (5, []),
        ]
        for (version, experiments) in steps {
            device.server.serve(["a": "1", "b": "1"], version: version, experiments: experiments)
            device.server.stream([Self.announcing(version)])
            var (news, registration) = listen(config)
            #expect(await news.next()?.keys == ["a"])
            #expect(try await config.activate())
            registration.remove()
        }
    }

    @Test("A stream that stayed open did not fail, a web page of another server did")
    func lasting() async throws {
        let device = try TestDevice()
        let config = device.config()
        device.server.stream(Array(repeating: { _ in .json("[ <style>b{}</style>") }, count: 4))
        var timers = device.timerClock.timers.makeAsyncIterator()
        let (_, registration) = listen(config)
        for pause in [4.0, 8] {
            let timer = await timers.next()
            #expect(timer?.seconds == pause)
            device.server.duringStream { [clock = device.clock, isLast = pause == 8] in
                if isLast { clock.advance(bySeconds: 330) }
            }
            timer?.fire()
        }
        #expect(await timers.next()?.seconds == 2)
        registration.remove()
    }

    @Test("A version that the server does not serve is requested three times")
    func notFetched() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.stream([Self.announcing(9)])
        var (news, registration) = listen(config)
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.notFetched.rawValue)
        registration.remove()
        let kinds = device.server.fetches.dropFirst().map { $0.header("x-firebase-rc-fetch-type") }
        #expect(kinds == ["REALTIME/1", "REALTIME/2", "REALTIME/3"])
    }

    @Test("The listener waits for a running fetch of the app, which does not count as an attempt")
    func runningFetch() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        let (isAsked, asking) = AsyncStream<Void>.makeStream()
        let mayAnswer = DispatchSemaphore(value: 0)
        device.server.answer { _ in
            asking.yield()
            mayAnswer.wait()
            return .json(#"{"state":"UPDATE","entries":{"a":"2"},"templateVersion":"2"}"#)
        }
        config.fetch(withExpirationDuration: 0) { _, _ in }
        for await _ in isAsked { break }
        device.timerClock.duringWait { mayAnswer.signal() }
        device.server.stream([Self.announcing(2)])
        var (news, registration) = listen(config)
        #expect(await news.next()?.keys == ["a"])
        #expect(device.server.fetches.count == 2)
        registration.remove()
    }

    @Test("An unreadable message is reported, and the following ones are read")
    func unreadable() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 3)
        let config = device.config()
        device.server.stream([{ _ in .json(#"[{oops},{"latestTemplateVersionNumber":"3"}"#) }])
        var (news, registration) = listen(config)
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.messageInvalid.rawValue)
        #expect(await news.next()?.keys == ["a"])
        registration.remove()
    }

    @Test("A server without updates gets one call, until another listener is added", arguments: [403, 404])
    func refused(_ status: Int) async throws {
        let device = try TestDevice()
        let config = device.config()
        device.server.stream([{ _ in .json("{}", status: status) }, { _ in .json("{}", status: status) }])
        var (first, _) = listen(config)
        #expect(await first.next()?.code == RemoteConfigUpdateError.Code.streamError.rawValue)
        #expect(device.server.streamRequests.count == 1)
        var (second, _) = listen(config)
        #expect(await second.next()?.code == RemoteConfigUpdateError.Code.streamError.rawValue)
        #expect(device.server.streamRequests.count == 2)
    }

    @Test("Options without a server are reported immediately")
    func options() async throws {
        let device = try TestDevice()
        let options = TestDevice.options()
        options.serverURL = nil
        let config = RemoteConfig.remoteConfig(app: device.start(options))
        await #expect {
            for try await _ in config.configUpdates {}
        } throws: {
            RemoteConfigUpdateError.streamError ~= $0
                && ($0 as NSError).localizedFailureReason?.contains("serverURL") == true
        }
    }

    @Test("A token that the server has forgotten is renewed once")
    func token() async throws {
        let device = try TestDevice()
        let config = device.config()
        device.server.stream([{ _ in .json("{}", status: 401) }, { _ in .json(#"[{"featureDisabled":true}"#) }])
        var (news, _) = listen(config)
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.unavailable.rawValue)
        let tokens = device.server.streamRequests.map { $0.header("x-goog-firebase-installations-auth") }
        #expect(tokens == ["auth-1", "auth-2"])
    }

    @Test("A broken stream is opened again; after seven failures listeners get an error, and attempts continue")
    func reconnecting() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 3)
        let config = device.config()
        var (news, registration) = listen(config)
        var timers = device.timerClock.timers.makeAsyncIterator()
        for pause in [4.0, 8, 16, 32, 64, 128] {
            let timer = await timers.next()
            #expect(timer?.seconds == pause)
            timer?.fire()
        }
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.streamError.rawValue)
        device.server.stream([Self.announcing(3)])
        await timers.next()?.fire()
        #expect(await news.next()?.keys == ["a"])
        registration.remove()
    }

    @Test("A busy server says when to come back, and gets no call before")
    func retryAfter() async throws {
        let device = try TestDevice()
        device.server.stream([{ _ in .json("{}", status: 429, headers: [("Retry-After", "300")]) }])
        let (_, registration) = listen(device.config())
        var timers = device.timerClock.timers.makeAsyncIterator()
        #expect(await timers.next()?.seconds == 302)
        registration.remove()
    }

    @Test("Without listeners no stream is opened again, and a removed listener gets no call")
    func removal() async throws {
        let device = try TestDevice()
        let config = device.config()
        let heard = Mutex(0)
        let first = config.addOnConfigUpdateListener { _, _ in heard.withLock { $0 += 1 } }
        first.remove()
        first.remove()
        // The first listener's stream may have begun.
        let answer: ConfigServer.Script = { _ in .json(#"[{"featureDisabled":true}"#) }
        device.server.stream([answer, answer])
        var (news, registration) = listen(config)
        #expect(await news.next()?.code == RemoteConfigUpdateError.Code.unavailable.rawValue)
        registration.remove()
        #expect(heard.withLock { $0 } == 0)
    }

    @Test("The other listeners stay when one is removed")
    func otherListeners() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 3)
        let config = device.config()
        var timers = device.timerClock.timers.makeAsyncIterator()
        var (news, registration) = listen(config)
        let (_, other) = listen(config)
        let timer = await timers.next()
        other.remove()
        device.server.stream([Self.announcing(3)])
        timer?.fire()
        #expect(await news.next()?.keys == ["a"])
        registration.remove()
    }

    @Test("A listener that removes itself does not get calls that were queued for it")
    func queued() async throws {
        let device = try TestDevice()
        let config = device.config()
        device.server.stream([{ _ in .json("[{oops},{oops},{oops}") }])
        let count = Mutex(0)
        let own = Mutex<ConfigUpdateListenerRegistration?>(nil)
        let isEnded = DispatchSemaphore(value: 0)
        let registration = config.addOnConfigUpdateListener { _, _ in
            isEnded.wait()
            count.withLock { $0 += 1 }
            own.withLock { $0 }?.remove()
        }
        own.withLock { $0 = registration }
        var (news, other) = listen(config)
        var timers = device.timerClock.timers.makeAsyncIterator()
        _ = await timers.next()
        for _ in 1...3 { isEnded.signal() }
        for _ in 1...3 { _ = await news.next() }
        other.remove()
        #expect(count.withLock { $0 } == 1)
    }

    @Test("A backoff that ends after the last listener was removed opens no stream")
    func lateTimer() async throws {
        let device = try TestDevice()
        let config = device.config()
        var timers = device.timerClock.timers.makeAsyncIterator()
        let (_, first) = listen(config)
        let late = await timers.next()
        first.remove()
        late?.fire()
        // The next stream opens after the time at which the late one would have opened.
        let (_, second) = listen(config)
        _ = await timers.next()
        second.remove()
        #expect(device.server.streamRequests.count == 2)
    }

    @Test("As a sequence: updates, then the error that ends it")
    func sequence() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 3)
        let config = device.config()
        device.server.stream([{ _ in .json(#"[{"latestTemplateVersionNumber":"3"},{"featureDisabled":true}"#) }])
        var keys: [Set<String>] = []
        await #expect {
            for try await update in config.configUpdates { keys.append(update.updatedKeys) }
        } throws: { RemoteConfigUpdateError.unavailable ~= $0 }
        #expect(keys == [["a"]])
    }

    @Test("Deleting the app ends the updates")
    func deleted() async throws {
        let device = try TestDevice()
        let config = device.config()
        var timers = device.timerClock.timers.makeAsyncIterator()
        _ = listen(config)
        let late = await timers.next()
        await config.core.app.delete()
        late?.fire()
        _ = listen(config)
        for try await _ in config.configUpdates { Issue.record("an update of a deleted app") }
        #expect(device.server.streamRequests.count == 1)
    }

    @Test("Deleting the app ends a sequence that a task waits for")
    func deletedSequence() async throws {
        let device = try TestDevice()
        let config = device.config()
        var iterator = config.configUpdates.makeAsyncIterator()
        await config.core.app.delete()
        #expect(try await iterator.next() == nil)
    }

    @Test("Cancelling the task of a sequence ends the connection")
    func cancelledSequence() async throws {
        let device = try TestDevice()
        let config = device.config()
        let task = Task { for try await _ in config.configUpdates {} }
        var timers = device.timerClock.timers.makeAsyncIterator()
        let late = await timers.next()
        task.cancel()
        try await task.value
        late?.fire()
        let (_, registration) = listen(config)
        _ = await timers.next()
        registration.remove()
        #expect(device.server.streamRequests.count == 2)
    }
}
