import HearthArguments
import HearthWire

/// To what share of the installations a release goes, and from when on to more.
struct ScheduleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Share of the installations that get it, such as 10% or 0.1.", valueName: "share"))
    var share: String?

    @Option(
        help: ArgumentHelp(
            "From a time on, another share. May be given several times.",
            discussion: "Such as 2026-12-01T09:00Z=50%, or +2d=50% for two days from now.", valueName: "time=share"))
    var stage: [String] = []

    func validate() throws {
        _ = try givenShare()
        _ = try stages(now: .now)
    }

    var isEmpty: Bool { share == nil && stage.isEmpty }

    /// What stands on the command line.
    func givenShare() throws(ValidationError) -> Share? {
        guard let share else { return nil }
        return try Share.given(share, "--share")
    }

    /// In order of time.
    func stages(now: Timestamp) throws(ValidationError) -> [ReleaseBodies.Stage] {
        var stages: [(time: Timestamp, share: Share)] = []
        for text in stage {
            let (time, share) = try Self.stage(text, now: now)
            guard !stages.contains(where: { $0.time == time }) else {
                throw ValidationError("--stage gives two shares for one time: '\(text)'.")
            }
            stages.append((time, share))
        }
        stages.sort { $0.time < $1.time }
        return stages.map { ReleaseBodies.Stage(time: Moment.wire($0.time), share: $0.share.fraction) }
    }

    private static func stage(_ text: String, now: Timestamp) throws(ValidationError) -> (Timestamp, Share) {
        guard let equals = text.lastIndex(of: "=") else {
            throw ValidationError("--stage '\(text)': write TIME=SHARE, such as 2026-12-01T09:00Z=50%.")
        }
        guard let time = Moment.parse(String(text[..<equals]), now: now) else {
            throw ValidationError("--stage '\(text)': give \(Moment.expectation).")
        }
        return (time, try Share.given(String(text[text.index(after: equals)...]), "--stage"))
    }
}
