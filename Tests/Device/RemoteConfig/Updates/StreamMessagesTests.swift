import Testing

@testable import HearthRemoteConfig

@Suite("Messages of the stream of updates")
struct StreamMessagesTests {
    private let body =
        "[{\"latestTemplateVersionNumber\":\"8\"}\n "
        + #",{"latestTemplateVersionNumber":9,"retryIntervalSeconds":300}]"#
    private let messages = [StreamMessage(version: 8), StreamMessage(version: 9, retrySeconds: 300)]

    @Test("Whole, and cut anywhere")
    func cut() {
        let bytes = Array(body.utf8)
        for position in 0...bytes.count {
            var stream = StreamMessages()
            #expect(stream.take(bytes[..<position]) + stream.take(bytes[position...]) == messages)
        }
        var stream = StreamMessages()
        #expect(bytes.flatMap { stream.take([$0]) } == messages)
    }

    @Test("White space that keeps the connection open is not a message")
    func idle() {
        var stream = StreamMessages()
        #expect(stream.take("[\n  \n\r ".utf8).isEmpty)
    }

    @Test("Disabled and enabled updates")
    func disabled() {
        var stream = StreamMessages()
        #expect(stream.take(#"{"featureDisabled":true}"#.utf8) == [StreamMessage(version: nil, isDisabled: true)])
        #expect(stream.take(#"{"featureDisabled":false}"#.utf8) == [StreamMessage(version: nil, isDisabled: true)])
    }

    @Test("An unreadable message is reported, and the next one is read")
    func unreadable() {
        var stream = StreamMessages()
        #expect(
            stream.take(#"{nonsense}{"latestTemplateVersionNumber":"3"}"#.utf8) == [nil, StreamMessage(version: 3)])
        #expect(
            stream.take(#"{"latestTemplateVersionNumber":"99999999999999999999"}"#.utf8) == [
                StreamMessage(version: nil)
            ])
    }

    @Test("An endless message uses limited memory")
    func endless() {
        var stream = StreamMessages()
        let longest = StreamMessages.limitBytes
        #expect(stream.take(Array("{".utf8) + [UInt8](repeating: 0x20, count: longest - 2)).isEmpty)
        #expect(stream.take([0x20]) == [nil])
        #expect(stream.take(#"{"latestTemplateVersionNumber":"3"}"#.utf8) == [StreamMessage(version: 3)])
    }

    @Test("The backoff between streams grows while they fail, and the seventh failure is reported")
    func pauses() {
        var pauses = StreamBackoff()
        var lengths: [Double] = []
        var toldAt: [Int] = []
        for number in 1...12 {
            lengths.append(pauses.next(wasSuccessful: false, requestedSeconds: nil, random: 0.5))
            if pauses.shouldReportFailure { toldAt.append(number) }
        }
        #expect(lengths == [4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900] && toldAt == [7])
        #expect(pauses.next(wasSuccessful: true, requestedSeconds: nil, random: 0.5) == 2)
        #expect(pauses.next(wasSuccessful: false, requestedSeconds: nil, retryAfterSeconds: 60, random: 0.5) == 62)
        #expect(
            pauses.next(wasSuccessful: false, requestedSeconds: nil, retryAfterSeconds: 1e12, random: 0.5) == 86_404)
        #expect(pauses.next(wasSuccessful: false, requestedSeconds: 300, random: 0.5) == 300)
        #expect(pauses.next(wasSuccessful: false, requestedSeconds: -5, random: 0.5) == 1)
        #expect(pauses.next(wasSuccessful: false, requestedSeconds: 1e12, random: 0.5) == 86_400)
    }
}
