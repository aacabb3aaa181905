import HearthCampaignInput

/// Decodes damaged images for `scripts/soak fuzz-images`, which builds it with the address sanitizer.
@main
struct FuzzerProgram {
    static func main() throws {
        let exercise = try Exercise()
        try CampaignInput.forEach { exercise.run($0) }
    }
}
