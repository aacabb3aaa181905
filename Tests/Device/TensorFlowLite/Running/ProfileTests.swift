import Foundation
import TensorFlowLite
import Testing

struct ProfileTests {
    private let profiled = Interpreter.Options.with { $0.isProfilingEnabled = true }

    @Test func countsOperatorsOfTheModelAndOfXNNPack() throws {
        let interpreter = try EngineFixture.mixed.allocated(profiled)
        try interpreter.invoke()  // outside of the profile
        let profile = try interpreter.profile { for _ in 0..<5 { try interpreter.invoke() } }
        #expect(profile.invocationCount == 5)
        #expect(profile.operators.count == 3)
        #expect(profile.operators.allSatisfy { $0.count == 5 })
        let floorMod = try #require(profile.operators.first { $0.name == "FLOOR_MOD" })
        #expect(!floorMod.isDelegated && floorMod.nodeIndex == 0)
        #expect(profile.operators.filter(\.isDelegated).map(\.nodeIndex).sorted() == [0, 1])
    }

    @Test func addsUpTimes() throws {
        let interpreter = try EngineFixture.counting_loop.allocated(profiled)
        try interpreter.setLimit(2000)
        let profile = try interpreter.profile { for _ in 0..<2 { try interpreter.invoke() } }
        let loop = try #require(profile.operators.first)
        #expect(loop.name == "WHILE" && loop.count == 2)
        #expect(loop.total > .zero && loop.minimum <= loop.maximum && loop.minimum + loop.maximum == loop.total)
        for (longer, shorter) in zip(profile.operators, profile.operators.dropFirst()) {
            #expect(longer.total >= shorter.total)
        }
        // The condition is asked once more than the body runs.
        #expect(profile.operators.contains { $0.name == "LESS" && $0.count == 4002 })
    }

    @Test func leavesOutRunsThatFail() throws {
        let interpreter = try Fixture.divide_int32.interpreter(profiled)
        try interpreter.allocateTensors()
        let profile = try interpreter.profile { try? interpreter.invoke() }
        #expect(profile.invocationCount == 0 && profile.operators.isEmpty)
    }

    @Test func startsAnewEachTime() throws {
        let interpreter = try EngineFixture.mixed.allocated(profiled)
        for _ in 0..<2 { #expect(try interpreter.profile { try interpreter.invoke() }.invocationCount == 1) }
        #expect(try interpreter.profile {}.operators.isEmpty)
    }

    @Test func needsItsOption() throws {
        let interpreter = try EngineFixture.mixed.allocated()
        let error = #expect(throws: InterpreterError.self) { try interpreter.profile { try interpreter.invoke() } }
        #expect(reason(error).contains("isProfilingEnabled"))
    }

    @Test func takesOneProfileAtATime() throws {
        let interpreter = try EngineFixture.mixed.allocated(profiled)
        let profile = try interpreter.profile {
            #expect(throws: InterpreterError.self) { try interpreter.profile {} }
            try interpreter.invoke()
        }
        #expect(profile.invocationCount == 1)
    }

    @Test func passesOnWhatTheClosureThrows() throws {
        let interpreter = try EngineFixture.mixed.allocated(profiled)
        #expect(throws: CancellationError.self) { try interpreter.profile { throw CancellationError() } }
        #expect(try interpreter.profile { try interpreter.invoke() }.invocationCount == 1)
    }

    @Test func comesBackFromJSON() throws {
        let interpreter = try EngineFixture.mixed.allocated(profiled)
        let profile = try interpreter.profile { try interpreter.invoke() }
        let json = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(Profile.self, from: json) == profile)
        #expect(try profile != interpreter.profile {})
    }

    @Test func measuresSignatureRuns() throws {
        let interpreter = try EngineFixture.counting_loop.interpreter(profiled)
        let runner = try interpreter.signatureRunner(with: "count")
        #expect(try interpreter.profile { try runner.invoke(with: [:]) }.invocationCount == 1)
    }
}
