import HearthTargeting
import Testing

/// Why a condition holds for a device or not.
struct ConditionFindingTests {
    private func finding(_ text: String, _ device: DeviceFacts) throws -> ConditionFinding {
        var subject = EvaluationContext(device, nowMicroseconds: ConditionTests.now)
        return try Condition(text).explain(for: &subject)
    }

    /// The facts of a device that says nothing, and has no id.
    private let silent = DeviceFacts(installationID: "", appID: "")

    @Test(arguments: ConditionTests.trueOnes + ConditionTests.falseOnes)
    func aFindingAgreesWithTheEvaluation(text: String) throws {
        for device in [ConditionTests.device, silent] {
            let holds = try Condition(text).holds(for: device, nowMicroseconds: ConditionTests.now)
            #expect(try (finding(text, device) == .holds) == holds)
        }
    }

    @Test(arguments: [
        ("app.version.>(['1'])", "app.version"), ("app.build.contains(['1'])", "app.build"),
        ("app.id == 'a'", "app.id"),
        ("app.firebaseInstallationId in ['a']", "app.firebaseInstallationId"),
        ("device.os != 'ios'", "device.os"), ("device.country in ['CH']", "device.country"),
        ("device.language in ['de']", "device.language"), ("app.userProperty['p'] > 1", "app.userProperty['p']"),
        ("version(app.customSignal['s']) > '1'", "app.customSignal['s']"),
        ("app.firstOpenTimestamp > ('2020-01-01T00:00:00')", "app.firstOpenTimestamp"),
        ("percent <= 100", "app.firebaseInstallationId"), ("percent > 0", "app.firebaseInstallationId"),
    ])
    func whatTheDeviceDoesNotSayIsNamed(text: String, signal: String) throws {
        #expect(try finding(text, silent) == .missing(signals: [signal]))
        #expect(try finding("true && \(text) && \(text)", silent) == .missing(signals: [signal]))
        // A term that is false decides, wherever it is.
        #expect(try finding("\(text) && false", silent) == .fails(column: text.count + 5))
    }

    @Test(arguments: [
        ("version(app.customSignal['fw']) >= '1.0'", "fw", "v1.2.0", ConditionValueForm.version),
        ("version(app.customSignal['fw']) != '1.0'", "fw", "2.1.0-beta", .version),
        ("app.customSignal['n'] > 3", "n", "1,5", .number), ("app.customSignal['n'] != 3", "n", "true", .number),
        ("app.customSignal['n'] != 3", "n", "nan", .number),
    ])
    func aValueOfAnotherFormIsNamed(text: String, key: String, value: String, form: ConditionValueForm) throws {
        var device = silent
        device.customSignals = [key: value]
        let finding = try finding("true && \(text)", device)
        #expect(finding == .unreadable(as: form, signal: "app.customSignal['\(key)']", column: 9))
        #expect(try !Condition(text).holds(for: device, nowMicroseconds: 0))
    }

    @Test func tagsAreNeverMissing() throws {
        #expect(try finding("hearth.tags.inAll(['a'])", silent) == .fails(column: 1))
        #expect(try finding("hearth.tags.notInAll(['a'])", silent) == .holds)
    }

    @Test func whatNoDeviceSendsIsNotMissing() throws {
        let text = "device.country in ['CH'] && app.audiences.inAll(['a'])"
        #expect(try finding(text, silent) == .unsupported(signals: ["app.audiences"]))
    }

    @Test func tooFewStepsAreNoAnswer() throws {
        var subject = EvaluationContext(ConditionTests.device, nowMicroseconds: 0, limitSteps: 10)
        #expect(try Condition("percent <= 100").explain(for: &subject) == .exhausted)
    }
}
