import HearthRemoteConfigTemplates
import HearthTargeting
import HearthWire
import Testing

@Suite("What templates cost") struct TemplateCostTests {
    private static func template(_ expressions: [String]) -> RemoteConfigTemplate {
        RemoteConfigTemplate(
            conditions: expressions.enumerated().map {
                RemoteConfigCondition(name: "c\($0.offset)", expression: $0.element)
            },
            parameters: [
                "p": RemoteConfigParameter(
                    defaultValue: .text("usual"),
                    conditionalValues: Dictionary(
                        uniqueKeysWithValues: expressions.indices.map { ("c\($0)", .text("v\($0)")) }))
            ])
    }

    /// Two thousand conditions with three expressions of their own each, as people write them.
    private static let honest = template(
        (0..<TemplateLimits.conditions).map { number in
            """
            app.version.matches(['^\(number % 50)\\.\(number / 50)']) \
            && app.userProperty['plan'].matches(['^(pro|trial)-\(number)$', '(?i)galaxy s\(number)[a-z]?'])
            """
        })

    /// As dear as the limits allow: many conditions with the same expressions, which are compiled once and asked each time.
    private static let dear = template(
        (0..<TemplateLimits.conditions).map { number in
            let patterns = (0..<20).map { "'(a?){50}[\\x{0}-\\x{10FFFF}]{60}\($0)'" }.joined(separator: ",")
            return "app.userProperty['k\(number % 100)'].matches([\(patterns)])"
        })

    private static var talkative: DeviceFacts {
        var device = DeviceFacts(installationID: "cABCDEFGHIJKLMNOPQRSTU", appID: "1:1:ios:ab")
        device.appVersion = "2.7.1"
        device.userProperties["plan"] = "enterprise, thirty-six characters xx"
        for number in 0..<100 { device.userProperties["k\(number)"] = String(repeating: "\u{8A9E}", count: 500) }
        return device
    }

    private func refusal(of template: RemoteConfigTemplate) -> TemplateError? {
        do throws(TemplateError) { try TemplateValidator.check(template, namespace: .client) } catch { return error }
        return nil
    }

    @Test("A large honest template has room, and its devices are asked all of it")
    func honestTemplate() throws {
        let conditions = try TemplateValidator.check(Self.honest, namespace: .client)
        let compiled = try CompiledTemplate(Self.honest, known: conditions)
        #expect(compiled.refusedConditions.isEmpty)
        var subject = EvaluationContext(Self.talkative, nowMicroseconds: 0)
        #expect(compiled.resolve(for: &subject).entries.map(\.value) == ["usual"])
        #expect(!subject.isExhausted && subject.steps < ConditionLimits.fetchSteps / 2, "\(subject.steps)")
    }

    @Test("The dearest template takes a device no more steps than a fetch has; it gets what is left")
    func dearest() throws {
        let conditions = try TemplateValidator.check(Self.dear, namespace: .client)
        let compiled = try CompiledTemplate(Self.dear, known: conditions)
        #expect(compiled.cost.steps(bytes: 1500) > 500 * ConditionLimits.fetchSteps)
        var subject = EvaluationContext(Self.talkative, nowMicroseconds: 0)
        #expect(compiled.resolve(for: &subject).entries.map(\.value) == ["usual"])
        #expect(subject.isExhausted && subject.steps <= ConditionLimits.fetchSteps)
    }

    @Test("Rollouts draw as long as there are steps")
    func rollouts() throws {
        let names = (0..<10).map { "c\($0)" }
        let template = RemoteConfigTemplate(
            conditions: names.map { RemoteConfigCondition(name: $0, expression: "true") },
            parameters: [
                "p": RemoteConfigParameter(
                    defaultValue: .text("usual"),
                    conditionalValues: Dictionary(
                        uniqueKeysWithValues: names.map {
                            (
                                $0,
                                .rollout(
                                    RemoteConfigRollout(rolloutId: $0, value: "new", percent: $0 == "c9" ? 100 : 0))
                            )
                        }))
            ])
        let compiled = try CompiledTemplate(template)
        let all = compiled.cost.fixedSteps
        #expect(all >= 10 * ConditionLimits.drawSteps)
        var subject = EvaluationContext(Self.talkative, nowMicroseconds: 0, limitSteps: all)
        #expect(compiled.resolve(for: &subject).entries.map(\.value) == ["new"])
        var less = EvaluationContext(Self.talkative, nowMicroseconds: 0, limitSteps: all - ConditionLimits.drawSteps)
        #expect(compiled.resolve(for: &less).entries.map(\.value) == ["usual"])
    }

    @Test("A template with too many instructions is refused, with the condition's name and what to do")
    func refused() throws {
        let large = Self.template(
            (0..<400).map { number in
                let patterns = (0..<20).map { "'[\\x{0}-\\x{10FFFF}]{300}\(number) \($0)'" }.joined(separator: ",")
                return "app.userProperty['u'].matches([\(patterns)])"
            })
        let error = try #require(refusal(of: large))
        #expect(error.code == .limitExceeded)
        #expect(error.path.hasPrefix("conditions[") && error.message.hasPrefix("The condition 'c"), "\(error)")
        #expect(error.message.contains("400000 instructions") && error.message.contains("Write fewer or shorter ones"))
        // Where it was stored all the same, what has room is served, and the rest is for nobody.
        let compiled = try CompiledTemplate(large)
        #expect(compiled.refusedConditions.count > 380 && !compiled.refusedConditions.contains("c0"))
        #expect(compiled.resolve(for: Self.talkative, nowMicroseconds: 0).entries.map(\.value) == ["usual"])
    }

    @Test("All expressions together have so many bytes, and not one more")
    func bytes() {
        func sized(_ bytes: Int) -> RemoteConfigTemplate {
            // In pieces, since one condition may have 50,000.
            let pieces = (0..<50).map { $0 == 0 ? bytes - 49 * 40_000 : 40_000 }
            return Self.template(pieces.map { "true" + String(repeating: " ", count: $0 - 4) })
        }
        #expect(refusal(of: sized(TemplateLimits.expressionBytes)) == nil)
        #expect(refusal(of: sized(TemplateLimits.expressionBytes + 1))?.code == .limitExceeded)
    }

    @Test("Too many conditions are refused before any is read")
    func counts() {
        let many = Self.template(Array(repeating: "percent <", count: TemplateLimits.conditions + 1))
        #expect(refusal(of: many)?.path == "conditions")
    }
}
