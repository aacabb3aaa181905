import Foundation
import Testing

@testable import HearthRemoteConfig

/// A value as apps' tests make them. `@unchecked Sendable`: what is stored never changes.
private final class FakeValue: RemoteConfigValue, @unchecked Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
        super.init()
    }

    override var stringValue: String { text }
    override var boolValue: Bool { true }
}

/// `@unchecked Sendable`: used by one test on one thread.
private final class FakeRegistration: ConfigUpdateListenerRegistration, @unchecked Sendable {
    private(set) var isRemoved = false

    override func remove() { isRemoved = true }
}

@Suite("What the mocks of apps make")
struct MockTests {
    @Test("empty values, updates and registrations")
    func empty() {
        let value = RemoteConfigValue()
        #expect(value.stringValue == "" && value.source == .static && value.jsonValue == nil && !value.boolValue)
        #expect(RemoteConfigUpdate().updatedKeys.isEmpty)
        ConfigUpdateListenerRegistration().remove()
    }

    @Test("values and updates of their choice")
    func chosen() {
        let value = RemoteConfigValue(dataValue: Data("12".utf8), source: .remote)
        #expect(value.numberValue == 12 && value.source == .remote && value.boolValue)
        #expect(RemoteConfigUpdate(updatedKeys: ["a"]).updatedKeys == ["a"])
    }

    @Test("subclasses stand in for them")
    func subclasses() {
        let value: RemoteConfigValue = FakeValue("fake")
        #expect(value.stringValue == "fake" && value.boolValue)
        let registration = FakeRegistration()
        (registration as ConfigUpdateListenerRegistration).remove()
        #expect(registration.isRemoved)
    }
}
