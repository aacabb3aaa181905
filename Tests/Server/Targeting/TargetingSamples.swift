import HearthCatalog
import HearthTestSupport
import HearthWire

@testable import HearthTargeting

enum Sample {
    static func release(
        _ number: Int, share: Int = Release.fullShare, stages: [Release.Stage] = [], pausedAt: Int64? = nil,
        model: Int64 = 1_000_001, _ audience: (inout Audience) -> Void = { _ in }
    ) -> TargetedRelease {
        var everybody = Audience()
        audience(&everybody)
        let release = Release(
            modelID: model, number: number, version: number, kind: .publish, shareMillionths: share, stages: stages,
            audience: everybody, pausedMicroseconds: pausedAt, createdMicroseconds: 0, createdBy: "ann")
        return TargetedRelease(
            ServedRelease(
                projectID: "project-a", displayName: "flowers", release: release, sha256: "hash\(number)", sizeBytes: 7),
            condition: everybody.condition.map { LazyCondition($0) })
    }

    static func device(
        _ id: String = "cABCDEFGHIJKLMNOPQRSTU", _ edit: (inout DeviceFacts) -> Void = { _ in }
    ) -> DeviceFacts {
        var device = DeviceFacts(installationID: id, appID: "1:1:linux:ab")
        edit(&device)
        return device
    }

    /// Ids as devices make them.
    static func installations(_ count: Int, seed: UInt64 = 7) -> [String] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            "c" + String((0..<21).map { _ in letters[Int(random.next() % 64)] })
        }
    }
}
