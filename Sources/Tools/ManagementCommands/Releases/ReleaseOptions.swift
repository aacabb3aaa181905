import HearthAdmin
import HearthArguments
import HearthCalls
import HearthWire

/// The share of the installations that a release reaches, and its schedule.
struct ScheduleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Share of the installations that the release reaches, such as 10% or 0.1.", valueName: "share"))
    var share: String?

    @Option(
        help: ArgumentHelp(
            "Another share from a time on. May be given several times.",
            discussion: "Such as 2026-12-01T09:00Z=50%, or +2d=50% for two days from now.", valueName: "time=share"))
    var stage: [String] = []

    func validate() throws {
        _ = try givenShare()
        _ = try stages(now: .now)
    }

    var isEmpty: Bool { share == nil && stage.isEmpty }

    /// One stage on the command line.
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
        return stages.map { ReleaseBodies.Stage(time: TimeArgument.wire($0.time), share: $0.share.fraction) }
    }

    private static func stage(_ text: String, now: Timestamp) throws(ValidationError) -> (Timestamp, Share) {
        guard let equals = text.lastIndex(of: "=") else {
            throw ValidationError("--stage '\(text)': write TIME=SHARE, such as 2026-12-01T09:00Z=50%.")
        }
        guard let time = TimeArgument.parse(String(text[..<equals]), now: now) else {
            throw ValidationError("--stage '\(text)': give \(TimeArgument.expectation).")
        }
        return (time, try Share.given(String(text[text.index(after: equals)...]), "--stage"))
    }
}
