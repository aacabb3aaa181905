import HearthCatalog
import HearthTestSupport
import HearthWire
import Testing

/// `StoredModel` checks after every change what must be true; here come the changes.
@Suite("Model lifecycle: random sequences") struct RandomLifecycleTests {
    @Test("Whatever the order of calls, the records stay whole", arguments: 0..<24 as Range<UInt64>)
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        var done = 0
        for step in 0..<150 {
            model.now += Int64.random(in: 0...30, using: &random)
            let before = model.model
            do {
                try call(&model, step, &random)
                done += 1
            } catch let error as CatalogError {
                #expect(model.model == before, "a refused call changes nothing")
                #expect(!error.message.isEmpty && !error.message.contains("\n"))
            }
        }
        #expect(done > 50)
    }

    private func call(_ model: inout StoredModel, _ step: Int, _ random: inout SeededGenerator) throws {
        let known = try model.version(Int.random(in: 1...model.versions.count, using: &random))
        let number = Int.random(in: 1...max(1, model.releases.count + 1), using: &random)
        let share = Bool.random(using: &random) ? Release.fullShare : Int.random(in: 0...1_000_000, using: &random)
        let stages = stages(from: model.now, &random)
        let audience = audience(&random)
        let released = model.releases.first { $0.number == number }.flatMap { model.versions[$0.version] }
        let isAllowed = Bool.random(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try model.update(.init(published: Bool.random(using: &random), sendsWholeModel: isAllowed))
        case 1: try file(&model, "s\(step)", &random)
        case 2, 3:
            try model.apply {
                try ReleaseLifecycle.release(
                    $0, known, share: min(share, stages.first?.shareMillionths ?? share), stages: stages,
                    audience: audience, allowContractChange: isAllowed, context: $1)
            }
        case 4:
            try model.apply {
                try ReleaseLifecycle.change($0, release: number, of: released, share: share, context: $1)
            }
        case 5:
            try model.apply {
                try ReleaseLifecycle.change(
                    $0, release: number, of: released, stages: stages, audience: audience,
                    allowContractChange: isAllowed, context: $1)
            }
        case 6: try model.apply { try ReleaseLifecycle.pause($0, release: number, context: $1) }
        case 7: try model.apply { try ReleaseLifecycle.resume($0, release: number, context: $1) }
        case 8: try model.apply { try ReleaseLifecycle.end($0, release: number, context: $1) }
        case 9: try model.apply { try ReleaseLifecycle.rollback($0, to: isAllowed ? known : nil, context: $1) }
        case 10: try model.applyVerdict(isAllowed ? .ok : Sample.malformed, version: known.version.number)
        default: try model.update(.init(tags: ["t\(step)"], contractCheck: isAllowed ? .warn : .refuse))
        }
    }

    private func file(_ model: inout StoredModel, _ sha256: String, _ random: inout SeededGenerator) throws {
        let verdict =
            [Verdict.ok, .ok, .pending, Sample.malformed, Sample.unsupported].randomElement(using: &random) ?? .ok
        let contract = Bool.random(using: &random) ? Sample.contract : Sample.otherContract
        try model.update(
            .init(
                published: [nil, true, false].randomElement(using: &random) ?? nil,
                upload: try Sample.upload(sha256: sha256, verdict: verdict, contract: contract),
                allowContractChange: Bool.random(using: &random), publishesNewFile: Bool.random(using: &random)))
    }

    private func stages(from now: Int64, _ random: inout SeededGenerator) -> [Release.Stage] {
        let count = Int.random(in: 0...3, using: &random)
        let shares = (0..<count).map { _ in Int.random(in: 0...8, using: &random) * 125_000 }.sorted()
        return shares.enumerated().map {
            .init(atMicroseconds: now - 10 + Int64($0.offset) * 20, shareMillionths: $0.element)
        }
    }

    private func audience(_ random: inout SeededGenerator) -> Audience {
        var audience = Audience()
        if Int.random(in: 0..<3, using: &random) == 0 { audience.countries = ["CH"] }
        return audience
    }
}
