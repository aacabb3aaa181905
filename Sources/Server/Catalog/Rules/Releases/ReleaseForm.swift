/// Which shares and schedules a release may have.
enum ReleaseForm {
    static let stageLimit = 32
    /// The year 9999 ends there.
    static let lastMicroseconds: Int64 = 253_402_300_799_999_999

    static func check(share: Int, stages: [Release.Stage]) throws(CatalogError) {
        try check(share)
        guard stages.count <= stageLimit else {
            throw CatalogError(
                .invalidArgument, "A release has at most \(stageLimit) stages; these are \(stages.count).")
        }
        var before = share
        var time: Int64 = -1
        for (index, stage) in stages.enumerated() {
            try check(stage.shareMillionths)
            guard (0...lastMicroseconds).contains(stage.atMicroseconds) else {
                throw CatalogError(.invalidArgument, "The time of stage \(index + 1) is not between 1970 and 9999.")
            }
            guard stage.atMicroseconds > time else {
                throw CatalogError(
                    .invalidArgument,
                    "Stages stand in order of time; stage \(index + 1) is not later than stage \(index).")
            }
            guard stage.shareMillionths >= before else {
                throw CatalogError(
                    .invalidArgument,
                    "A schedule never goes down; stage \(index + 1) has \(ReleaseText.share(stage.shareMillionths)) "
                        + "after \(ReleaseText.share(before)).")
            }
            before = stage.shareMillionths
            time = stage.atMicroseconds
        }
    }

    /// Stages that were reached before they were given, one line each: perhaps the year is wrong.
    static func pastStages(_ release: Release, since old: Release? = nil, nowMicroseconds: Int64) -> [String] {
        release.stages.filter { $0.atMicroseconds < nowMicroseconds && !(old?.stages ?? []).contains($0) }.map {
            "the stage of \(ReleaseText.time($0.atMicroseconds)) lies in the past: "
                + "its \(ReleaseText.share($0.shareMillionths)) counts from now on"
        }
    }

    private static func check(_ share: Int) throws(CatalogError) {
        guard (0...Release.wholeShare).contains(share) else {
            throw CatalogError(
                .invalidArgument, "A share is 0 to 1, in steps of a millionth; \(share) millionths is not.")
        }
    }
}
