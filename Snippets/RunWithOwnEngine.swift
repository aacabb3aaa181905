import Hearth

/// Runs a model with an engine of the app's own. The use begins on the thread that runs the model; `.loading` is for loads.
func run(_ model: CustomModel, with engine: (String) throws -> [Float]) throws -> [Float] {
    let use = ModelDownloader.modelDownloader().beginUse(of: model, .running)
    do {
        let scores = try engine(model.path)
        use.succeed()
        return scores
    } catch {
        use.fail()
        throw error
    }
}
