import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Console: the results of an experiment") struct ExperimentResultsPageTests {
    private let fixture: ConsoleFixture

    init() throws {
        fixture = try ConsoleFixture()
        try fixture.service.makeExperiment(TestService.twoVariantExperiment())
    }

    /// Installations of both variants, of which some buy.
    private func expose(_ count: Int, buying: [Int]) throws {
        try fixture.service.services.metadata.write { store in
            for variant in 0...1 {
                for number in 0..<count {
                    let unit = ExperimentUnit(
                        projectID: "project-a", experiment: "colours", installation: "\(variant)-\(number)",
                        variant: variant, exposedMicroseconds: 1)
                    try store.insert(unit)
                    if number < buying[variant] {
                        try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit)
                    }
                }
            }
        }
    }

    private func page() throws -> String {
        try fixture.browser(.viewer).get("projects/project-a/experiments/colours").text
    }

    @Test("It says what a verdict still needs and how much there is")
    func lacking() throws {
        try expose(150, buying: [5, 6])
        let text = try page()
        #expect(text.contains("What a verdict still needs:") && text.contains("needs 200 installations; it has 150."))
        #expect(text.contains("No verdict yet: there are too few data."))
    }

    /// 40 % and 50.3 % of 350 each: a probability of 99.7 % beside "no difference yet" would invite a wrong decision.
    @Test("No number beside the verdict says something else")
    func undecided() throws {
        try expose(350, buying: [140, 176])
        let text = try page()
        #expect(text.contains("No significant difference yet.") && text.contains("differs by 10.29 points"))
        #expect(!text.contains("99.7") && !text.contains("95 % interval"))
    }
}
