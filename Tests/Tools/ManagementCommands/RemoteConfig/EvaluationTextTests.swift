import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct EvaluationTextTests {
    private typealias Bodies = TemplateEvaluationBodies

    private func result(
        version: Int64? = 3, device: TemplateEvaluationBodies.Device = .init(),
        parameters: [TemplateEvaluationBodies.Parameter] = [],
        conditions: [TemplateEvaluationBodies.Condition] = [], experiments: [TemplateEvaluationBodies.Experiment] = []
    ) -> TemplateEvaluationBodies.Result {
        Bodies.Result(
            namespace: "firebase", version: version, time: "2026-11-27T17:30:00.000000Z", installation: nil,
            isRegistered: false, isPinned: false, device: device, parameters: parameters, conditions: conditions,
            experiments: experiments)
    }

    @Test func aTableForEachPartAndWhyAConditionIsOpen() {
        var device = Bodies.Device()
        (device.country, device.os, device.customSignals) = ("DE", "ios", ["level": "v7"])
        var colour = Bodies.Parameter(key: "colour", value: "red", source: "condition")
        (colour.condition, colour.undecided) = ("german", ["beta"])
        var size = Bodies.Parameter(key: "size", value: nil, source: "default")
        size.skipped = [Bodies.Parameter.Skipped(condition: "all", because: "rollout", id: "r1")]
        var beta = Bodies.Condition(name: "beta", expression: "percent <= 10", result: "undecided", because: "missing")
        beta.signals = ["app.firebaseInstallationId"]
        var swiss = Bodies.Condition(
            name: "swiss", expression: "device.country in ['CH']", result: "false", because: "term")
        swiss.column = 1
        let german = Bodies.Condition(name: "german", expression: "device.country in ['DE']", result: "true")
        var rank = Bodies.Condition(
            name: "rank", expression: "version(app.customSignal['level']) > '1'", result: "false",
            because: "notAVersion")
        (rank.column, rank.signals) = (1, ["app.customSignal['level']"])
        var experiment = Bodies.Experiment(experiment: "sizes", isIncluded: false)
        experiment.because = "installation"
        let text = EvaluationText(
            result(
                device: device, parameters: [colour, size], conditions: [beta, swiss, german, rank],
                experiments: [experiment]
            )
        ).text(width: nil)
        #expect(
            text == """
                A device that asks at 2026-11-27 17:30 UTC, with os ios, country DE, signal level=v7, gets of version 3:

                PARAMETER  VALUE                  FROM
                colour     "red"                  condition 'german'; not decided: 'beta'
                size       the app's own default  default; not in rollout r1 of 'all'

                CONDITION  HOLDS      BECAUSE                                                       EXPRESSION
                beta       undecided  the device does not say app.firebaseInstallationId            percent <= 10
                swiss      no         the term at column 1 is false                                 device.country in ['CH']
                german     yes                                                                      device.country in ['DE']
                rank       no         the value 'v7' of app.customSignal['level'] is not a version  version(app.customSignal['level']) > '1'

                EXPERIMENT  VARIANT
                sizes       none: it has no id

                To a device, a condition that is not decided does not hold.
                """)
    }

    @Test func whatIsEvaluatedIsSaid() {
        #expect(
            EvaluationText(result(version: nil)).text(width: nil).contains(
                "with no facts, gets of the template in the file"))
        #expect(EvaluationText(result(version: 0)).text(width: nil).contains("an empty template"))
    }

    @Test func optionsBecomeFacts() throws {
        let command = try ConfigEvaluateCommand.parse([
            "--signal", "a=b=c", "--signal", "d=", "--tag", "x", "--app-build", "3", "--first-open",
            "2026-11-21T13:00Z",
        ])
        let device = try command.device()
        #expect(device.customSignals == ["a": "b=c", "d": ""] && device.tags == ["x"] && device.appBuild == "3")
        #expect(device.firstOpenTime?.hasPrefix("2026-11-21T13:00:00") == true && device.userProperties == nil)
    }

    @Test(arguments: [
        ["--signal", "a"], ["--signal", "=b"], ["--signal", "a=1", "--signal", "a=2"], ["--version", "0"],
        ["--file", "f", "--version", "1"], ["--time", "soon"], ["--first-open", "soon"],
    ])
    func optionsThatCannotBeAreRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try ConfigEvaluateCommand.parse(arguments) }
    }
}
