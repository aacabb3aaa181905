import HearthExperiments

/// What was decided about an experiment when it ended. It stays decided, although the counts would not decide it now:
/// another rule may have been in force, and installations may have been pinned since.
struct EndVerdict {
    /// `goOn`, `winner` or `harm`.
    let kind: String
    /// In words, without a full stop; nil if only the kind is known.
    private let finding: String?
    private let experiment: Experiment

    /// Nil if the experiment has not ended, and if nothing is known of its end. A recorded winner alone says nothing: a
    /// person may record one for any reason.
    init?(_ experiment: Experiment) {
        guard [.stopped, .rolledOut].contains(experiment.state) else { return nil }
        self.experiment = experiment
        let said = Self.decisive(experiment).first { verdict in
            let finding = ExperimentResults.finding(verdict, experiment)
            // Who rolls a variant out adds to the reason.
            return experiment.endReason.map { $0 == finding || $0.hasPrefix("\(finding); ") } ?? false
        }
        guard let kind = experiment.endVerdict ?? said.map(ExperimentResults.name) else { return nil }
        self.kind = kind
        finding = said.map { ExperimentResults.finding($0, experiment) } ?? experiment.endFinding
    }

    private static func decisive(_ experiment: Experiment) -> [ExperimentVerdict] {
        let names = experiment.variants.map(\.name)
        return names.map { .winner($0) }
            + experiment.guardrails.flatMap { guardrail in
                names.map { .harm(variant: $0, metric: guardrail.metric) }
            }
    }

    /// Whether the counts of today say the same by the rule of today.
    func isThat(of verdict: ExperimentVerdict) -> Bool {
        guard kind == ExperimentResults.name(of: verdict) else { return false }
        // A winner that a person recorded says nothing.
        return finding.map { $0 == ExperimentResults.finding(verdict, experiment) } ?? true
    }

    /// Whether something was proven.
    var isDecisive: Bool { kind != "goOn" }

    /// - Parameter verdict: of today, which is another one.
    func summary(beside verdict: ExperimentVerdict) -> String {
        let reason = experiment.endReason.map { "\($0). " } ?? ""
        guard isDecisive else {
            return reason + "No difference was proven when the experiment ended. By the rule and the counts of today: "
                + "\(ExperimentResults.finding(verdict, experiment))."
        }
        let isSaid = finding.map { experiment.endReason?.hasPrefix($0) ?? false } ?? true
        return reason + (isSaid ? "" : finding.map { "\($0). " } ?? "")
            + "The verdict was '\(kind)' when the experiment ended, by the rule and the counts of that time. "
            + "Those of today would not show it, so the results leave out intervals of differences and p-values; "
            + "the history has those of that time."
    }
}
