/// Which shares and schedules a release may have.
enum ReleaseValidator {
    static let stageLimit = 32
    /// The end of the year 9999.
    static let lastMicroseconds: Int64 = 253_402_300_799_999_999

    static func check(share: Int, stages: [Release.Stage]) throws(CatalogError) {
        try check(share)
        guard stages.count <= stageLimit else {
            throw CatalogError(
                .invalidArgument, "A release may have at most \(stageLimit) stages; these are \(stages.count).")
        }
        var before = share
        var time: Int64 = -1
        for (index, stage) in stages.enumerated() {
            try check(stage.shareMillionths)
            guard (0...lastMicroseconds).contains(stage.atMicroseconds) else {
                throw CatalogError(.invalidArgument, "The time of stage \(index + 1) must be between 1970 and 9999.")
            }
            guard stage.atMicroseconds > time else {
                throw CatalogError(
                    .invalidArgument,
                    "Stages must be in order of time; stage \(index + 1) is not later than stage \(index).")
            }
            guard stage.shareMillionths >= before else {
                throw CatalogError(
                    .invalidArgument,
                    "A stage must not have a smaller share than the one before; stage \(index + 1) has "
                        + "\(ReleaseDescription.share(stage.shareMillionths)) after \(ReleaseDescription.share(before))."
                )
            }
            before = stage.shareMillionths
            time = stage.atMicroseconds
        }
    }

    /// - Parameters:
    ///   - share: before the first stage, and thus where a plan begins.
    static func check(
        _ guarding: ReleaseGuarding, share: Int, stages: [Release.Stage]
    ) throws(CatalogError) {
        guard ReleaseGuarding.holdRange.contains(guarding.holdSeconds) else {
            throw CatalogError(
                .invalidArgument,
                "Devices must hold a version for 1 minute to 30 days (--hold 1m to 30d).")
        }
        guard !guarding.plan.isEmpty else { return }
        guard stages.isEmpty else {
            throw CatalogError(
                .invalidArgument, "A release has a plan or stages with times, not both.")
        }
        guard guarding.plan.count <= stageLimit else {
            throw CatalogError(
                .invalidArgument, "A plan may have at most \(stageLimit) shares; these are \(guarding.plan.count).")
        }
        for share in guarding.plan { try check(share) }
        guard zip(guarding.plan, guarding.plan.dropFirst()).allSatisfy({ $0 < $1 }), guarding.plan[0] > 0 else {
            throw CatalogError(.invalidArgument, "The shares of a plan must be above 0, and each above the one before.")
        }
    }

    /// Stages that were already in the past when the caller sent them, one line each: the year may be wrong.
    static func pastStages(_ release: Release, since old: Release? = nil, nowMicroseconds: Int64) -> [String] {
        release.stages.filter { $0.atMicroseconds < nowMicroseconds && !(old?.stages ?? []).contains($0) }.map {
            "the stage of \(ReleaseDescription.time($0.atMicroseconds)) is in the past: "
                + "its \(ReleaseDescription.share($0.shareMillionths)) counts from now on"
        }
    }

    private static func check(_ share: Int) throws(CatalogError) {
        guard (0...Release.fullShare).contains(share) else {
            throw CatalogError(
                .invalidArgument, "A share must be 0 to 1, in steps of a millionth, not \(share) millionths.")
        }
    }
}
