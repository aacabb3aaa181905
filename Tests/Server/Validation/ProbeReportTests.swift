import Foundation
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// The report is as untrusted as the model.
@Suite struct ProbeReportTests {
    private func contract(_ change: (inout ModelContract) -> Void = { _ in }) -> ModelContract {
        var contract = ModelContract(
            inputs: [.init(name: "in", type: "float32", shape: [1, 2])], outputs: [],
            operators: [.init(name: "ADD", count: 1)], signatures: ["serving_default"])
        change(&contract)
        return contract
    }

    @Test func aSoundReportArrivesAsItIs() throws {
        for report in [
            ProbeReport(verdict: .ok, contract: contract()),
            ProbeReport(verdict: .unsupported, message: "no such operator", contract: contract()),
            ProbeReport(verdict: .malformed, message: "not a model"),
        ] {
            #expect(try FakeProbe.printing(report).report() == report)
        }
    }

    private static let sound =
        "{\"verdict\":\"ok\",\"contract\":"
        + "{\"inputs\":[],\"outputs\":[],\"operators\":[],\"signatures\":[]}}"

    /// A second line is about images. What follows the first line costs the model nothing but that.
    @Test(arguments: [
        "exit 0", "exit 3", "kill -SEGV $$", "kill -KILL $$", "kill -XCPU $$", "exec sleep 1000", "exec yes",
        "echo nonsense", "echo '{}'", "head -c 500000 /dev/zero | tr '\\0' '['", "printf '{\"task\":\"boxes\"'",
        #"echo '{"task":"boxes","processing":{"layout":"x"},"images":"i","answers":[]}'"#,
        #"echo '{"verdict":"malformed","message":"no"}'"#,
    ])
    func whatFollowsASoundReportDoesNotSpoilIt(commands: String) throws {
        var limits = ProbeLimits.withoutRuns
        limits.wallSeconds = 3
        let report = try FakeProbe("echo '\(Self.sound)'\n\(commands)").report(limits)
        #expect(report == .sound)
    }

    @Test func aSecondLineSaysHowImagesGoIn() throws {
        func vision(_ line: String, _ limits: ProbeLimits = .withoutRuns) throws -> ModelContract.Vision? {
            try FakeProbe("cat <<'END'\n\(Self.sound)\n\(line)\nEND").report(limits).contract?.vision
        }
        let line = #"{"task":"labels","processing":{"mean":[1]},"images":"a\u001b[2Jb","answers":["c\nd","e"]}"#
        let labels = try #require(try vision(line))
        #expect(labels.task == "labels" && labels.processing?.mean == [1])
        #expect(labels.images == "a [2Jb" && labels.answers == ["c d", "e"])
        let problem = #"{"problem":"12\u202e456789","missing":["layout","<b>"],"task":"boxes"}"#
        var limits = ProbeLimits.withoutRuns
        limits.textCharacters = 5
        let cut = try #require(try vision(problem, limits))
        #expect(cut == ModelContract.Vision(problem: "12 45", missing: ["layout"]))
        let many = Array(repeating: "\"x\"", count: 1000).joined(separator: ",")
        let long = #"{"task":"labels","processing":{},"images":"","answers":["# + many + "]}"
        #expect(try vision(long)?.answers?.count == 64)
    }

    /// Of a model that is not sound, it says nothing. In the first line it is not believed.
    @Test func aReportHasItInASecondLineOnly() throws {
        var inside = contract()
        inside.vision = ModelContract.Vision(problem: "x", missing: nil)
        #expect(
            try FakeProbe.printing(ProbeReport(verdict: .ok, contract: inside)).report()
                == ProbeReport(verdict: .ok, contract: contract()))
        let unsupported = try FakeProbe(
            "echo '\(Self.sound.replacingOccurrences(of: "\"ok\"", with: "\"unsupported\""))'\n"
                + "echo '{\"problem\":\"x\"}'"
        ).report()
        #expect(unsupported.verdict == .unsupported && unsupported.contract?.vision == nil)
    }

    @Test(arguments: ["", "nonsense", "{}", "[]", #"{"verdict": "fine"}"#, #"{"verdict": "ok"}"#, #"{"verdict": 1}"#])
    func nonsenseIsMalformed(output: String) throws {
        let report = try FakeProbe("printf %s '\(output)'").report()
        #expect(report.verdict == .malformed)
        #expect(report.message?.isEmpty == false)
        #expect(report.contract == nil)
    }

    @Test func deepNestingIsMalformed() throws {
        let report = try FakeProbe("head -c 500000 /dev/zero | tr '\\0' '['").report()
        #expect(report.verdict == .malformed)
    }

    @Test func listsUpToTheLimitAreTaken() throws {
        var limits = ProbeLimits()
        limits.contractItems = 3
        let atLimit = contract { $0.signatures = ["a", "b", "c"] }
        #expect(try FakeProbe.printing(ProbeReport(verdict: .ok, contract: atLimit)).report(limits).verdict == .ok)
        for change: (inout ModelContract) -> Void in [
            { $0.signatures = ["a", "b", "c", "d"] },
            { $0.operators = Array(repeating: .init(name: "ADD", count: 1), count: 4) },
            { $0.inputs = Array(repeating: $0.inputs[0], count: 4) },
            { $0.outputs = Array(repeating: $0.inputs[0], count: 4) },
            { $0.inputs[0].shape = [1, 2, 3, 4] },
        ] {
            let report = ProbeReport(verdict: .ok, contract: contract(change))
            #expect(try FakeProbe.printing(report).report(limits).verdict == .malformed)
        }
    }

    @Test func theDigestOfTheLabelsIsSixtyFourHexDigitsOrNone() throws {
        let digits = String(repeating: "0123456789abcdef", count: 4)
        for (digest, isKept) in [
            (digits, true), (String(digits.dropLast()), false), (digits + "0", false), (digits.uppercased(), false),
            (digits.replacingOccurrences(of: "f", with: "g"), false), ("", false),
            (String(repeating: "\u{FF11}", count: 64), false),
        ] {
            let report = ProbeReport(verdict: .ok, contract: contract { $0.labelsSHA256 = digest })
            let read = try FakeProbe.printing(report).report()
            #expect(read.verdict == .ok)
            #expect(read.contract?.labelsSHA256 == (isKept ? digest : nil))
        }
    }

    @Test func lessThanNoLabelsAreNotBelieved() throws {
        for count in [0, -1, .min] {
            let report = ProbeReport(verdict: .ok, contract: contract { $0.labelCount = count })
            #expect(try FakeProbe.printing(report).report().contract?.labelCount == (count < 0 ? nil : count))
        }
    }

    /// Only the process that runs the model tells what that takes.
    @Test func figuresOfAnInspectionAreNotBelieved() throws {
        var report = ProbeReport(verdict: .ok, contract: contract())
        report.figures = ModelMeasurements(
            runs: 1, medianMicroseconds: 1, p90Microseconds: 1, peakMemoryBytes: 1, loadMicroseconds: 1, engine: "x")
        report.figuresNote = "x"
        #expect(try FakeProbe.printing(report).report() == ProbeReport(verdict: .ok, contract: contract()))
    }

    @Test func textsAreCutAndCleaned() throws {
        var limits = ProbeLimits()
        limits.textCharacters = 5
        let report = ProbeReport(
            verdict: .unsupported, message: "a\u{1B}[2J\nb",
            contract: contract {
                $0.inputs[0].name = "12345"
                $0.title = "123456"
            })
        let read = try FakeProbe.printing(report).report(limits)
        #expect(read.message == "a [2J")
        #expect(read.contract?.inputs[0].name == "12345")
        #expect(read.contract?.title == "12345")
    }

    /// Every text is from the model's author.
    @Test func noControlCharacterGetsThrough() throws {
        let hostile = "x\u{7}\u{1B}]0;title\u{9C}\u{85}\u{202E}\u{2066}\u{200B}\u{FEFF}\u{2028}\u{2029}"
        let report = ProbeReport(
            verdict: .ok,
            contract: contract {
                $0.inputs[0].name = hostile
                $0.inputs[0].type = hostile
                $0.outputs = $0.inputs
                $0.operators[0].name = hostile
                $0.signatures = [hostile]
                $0.title = hostile
                $0.summary = hostile
                $0.author = hostile
                $0.license = hostile
            })
        let contract = try #require(try FakeProbe.printing(report).report().contract)
        let text = String(decoding: try WireJSON.encode(contract), as: UTF8.self)
        let scalars = text.unicodeScalars
        let unfit: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        #expect(!scalars.contains { unfit.contains($0.properties.generalCategory) || $0.properties.isBidiControl })
        // JSON writes most of them as escapes.
        #expect(!text.contains("\\u00"))
    }
}
