import HearthCampaignInput

/// Loads and runs models for `scripts/soak mutated-models`, in this process and without a sandbox: what passes the check must not
/// end it.
@main
struct ExerciserProgram {
    static func main() throws {
        try CampaignInput.forEach { ModelExercise.run($0) }
    }
}
