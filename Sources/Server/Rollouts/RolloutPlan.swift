package import HearthCatalog

/// The shares through which a guarded rollout goes by itself.
package struct RolloutPlan: Sendable, Hashable, Codable {
    /// In millionths of the devices, growing. The rollout begins with the first one.
    package var shares: [Int]
    /// How long a device must have had the version before it counts as sound.
    package var holdSeconds: Int64

    /// The factor by which the share grows when it has shown all that it can, and a guard is still undecided.
    package static let growth = 1.4
    /// How long a share stays at least while a guard is undecided: most devices call once in that time.
    package static let exhaustedSeconds: Int64 = 86_400
    /// How long it waits at most for devices that have not shown anything yet, or may turn out to have failed.
    package static let pendingSeconds: Int64 = 3 * exhaustedSeconds

    package init(shares: [Int], holdSeconds: Int64) {
        self.shares = shares
        self.holdSeconds = holdSeconds
    }

    /// What to do with a rollout now.
    package enum Step: Sendable, Hashable {
        /// Wait for devices.
        case wait
        /// Give the version to this share, in millionths.
        case widen(to: Int)
        /// A guard is violated.
        case stop(Guard)
    }

    /// - Parameters:
    ///   - share: the present share, in millionths.
    ///   - findings: of the guards that are on.
    ///   - secondsAtShare: how long ago the share last changed.
    package func step(share: Int, findings: [GuardFinding], secondsAtShare: Int64) -> Step {
        if let violated = findings.first(where: { $0.verdict == .violated }) { return .stop(violated.guarded) }
        guard let next = shares.first(where: { $0 > share }) else { return .wait }
        let undecided = findings.filter { $0.verdict == .undecided }
        if undecided.isEmpty { return secondsAtShare >= holdSeconds ? .widen(to: next) : .wait }
        guard secondsAtShare >= max(holdSeconds, Self.exhaustedSeconds), !undecided.contains(where: \.speaksForHarm),
            secondsAtShare >= Self.pendingSeconds
                || undecided.allSatisfy({ Double($0.counted) >= 0.85 * $0.expected && !$0.isPending })
        else { return .wait }
        return .widen(to: min(next, max(share + 1, Int(Double(share) * Self.growth))))
    }
}
