import HearthArguments
import HearthCalls
import HearthWire

/// How the server watches a release.
struct GuardingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Shares that the release goes through automatically, when the guards have seen enough devices, such as 1%,5%,25%,100%. "
                + "To an existing release: none to end its plan.",
            valueName: "shares"))
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "How long a device must have the version to count as sound, and each share lasts at least: 1m to 30d. A new "
                + "release has 2h.",
            valueName: "duration"))
    var hold: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "What happens when a guard finds harm: pause (default), or rollback, after which devices get the fallback release.",
            valueName: "pause|rollback"))
    var onHarm: HarmResponse?

    @Option(
        help: ArgumentHelp(
            "A guard that is not to stop the release: returned-without, load-failures, crashes, failed-runs, run-time. May "
                + "be given several times.", valueName: "guard"))
    var withoutGuard: [GuardName] = []

    @Flag(help: "Turn all guards on.")
    var allGuards = false

    func validate() throws {
        _ = try shares()
        guard !allGuards || withoutGuard.isEmpty else {
            throw ValidationError("Give --all-guards or --without-guard, not both.")
        }
    }

    var isEmpty: Bool { plan == nil && hold == nil && onHarm == nil && withoutGuard.isEmpty && !allGuards }

    /// Nil if no option is given.
    ///
    /// - Parameter present: the release before the change; the guards that are off stay off.
    func guarding(
        changing present: ReleaseBodies.GuardingStatus? = nil
    ) throws(ValidationError) -> ReleaseBodies.Guarding? {
        guard !isEmpty else { return nil }
        let alreadyOff = (present?.guards ?? []).filter { $0.state == "off" }.map(\.name)
        let off = allGuards ? [] : withoutGuard.isEmpty ? nil : Set(alreadyOff + withoutGuard.map(\.rawValue)).sorted()
        return ReleaseBodies.Guarding(
            plan: try shares()?.map(\.fraction), holdSeconds: hold.map { Int($0.seconds) }, onHarm: onHarm?.rawValue,
            off: off)
    }

    private func shares() throws(ValidationError) -> [Share]? {
        guard let plan else { return nil }
        guard plan != "none" else { return [] }
        var shares: [Share] = []
        for text in plan.split(separator: ",", omittingEmptySubsequences: false) {
            shares.append(try Share.given(text.filter { $0 != " " }, "--plan"))
        }
        guard zip(shares, shares.dropFirst()).allSatisfy({ $0 < $1 }), shares[0] > .none else {
            throw ValidationError(
                "--plan '\(plan)': give shares above 0%, each above the one before, such as 1%,5%,25%,100%.")
        }
        return shares
    }
}

enum HarmResponse: String, ExpressibleByArgument, CaseIterable {
    case pause, rollback
}

enum GuardName: String, ExpressibleByArgument, CaseIterable {
    case returnedWithout = "returned-without"
    case loadFailures = "load-failures"
    case crashes
    case failedRuns = "failed-runs"
    case runTime = "run-time"
}
