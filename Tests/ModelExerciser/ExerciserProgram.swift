import HearthCampaignInput

/// Loads and runs models for `scripts/soak mutated-models` and `scripts/soak run-time-sizes`, in this process and without a
/// sandbox: what passes the check must not end it.
@main
struct ExerciserProgram {
    static func main() throws {
        try CampaignInput.forEach { ModelRuns($0)?.answer() ?? ModelExercise.run($0) }
    }
}
