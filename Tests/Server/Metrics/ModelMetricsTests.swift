import Testing

@testable import HearthMetrics

struct ModelMetricsTests {
    private static let name = "hearth_model_answers_total"

    private func text(_ models: ModelMetrics) throws -> PrometheusText {
        try PrometheusText(ServerMetrics(version: "1", routes: [], models: models).text)
    }

    @Test func answersAreCountedByModel() throws {
        let models = ModelMetrics()
        for _ in 0..<3 { models.count(.download, project: "p", model: "a") }
        models.count(.unchanged, project: "p", model: "a")
        models.count(.download, project: "q", model: "a")
        let text = try text(models)
        #expect(text[Self.name, ["project": "p", "model": "a", "answer": "download"]] == 3)
        #expect(text[Self.name, ["project": "p", "model": "a", "answer": "unchanged"]] == 1)
        #expect(text[Self.name, ["project": "q", "model": "a", "answer": "download"]] == 1)
    }

    /// A server with many models must not fill its monitoring.
    @Test func furtherModelsShareTheirSeries() throws {
        let models = ModelMetrics(limit: 2)
        for number in 0..<100 { models.count(.download, project: "p", model: "m\(number)") }
        let text = try text(models)
        #expect(text[Self.name, ["project": "(others)", "model": "(others)", "answer": "download"]] == 98)
        #expect(text.samples.keys.filter { $0.name == Self.name }.count == 6)
    }
}
