import Foundation
import Testing

@testable import HearthRemoteConfig

/// A value as in apps' tests. `@unchecked Sendable`: the stored properties never change.
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

@Suite("Mocks of apps")
struct MockTests {
    @Test("Empty values, updates and registrations")
    func empty() {
        let value = RemoteConfigValue()
        #expect(value.stringValue == "" && value.source == .static && value.jsonValue == nil && !value.boolValue)
        #expect(RemoteConfigUpdate().updatedKeys.isEmpty)
        ConfigUpdateListenerRegistration().remove()
    }

    @Test("Values and updates of their choice")
    func chosen() {
        let value = RemoteConfigValue(dataValue: Data("12".utf8), source: .remote)
        #expect(value.numberValue == 12 && value.source == .remote && value.boolValue)
        #expect(RemoteConfigUpdate(updatedKeys: ["a"]).updatedKeys == ["a"])
    }

    @Test("Subclasses can replace them")
    func subclasses() {
        let value: RemoteConfigValue = FakeValue("fake")
        #expect(value.stringValue == "fake" && value.boolValue)
        let registration = FakeRegistration()
        (registration as ConfigUpdateListenerRegistration).remove()
        #expect(registration.isRemoved)
    }
}
