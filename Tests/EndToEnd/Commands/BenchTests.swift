import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// How fast a model is. Nothing here depends on how fast the machine is.
    @Suite struct BenchTests {
        private struct Report: Decodable {
            struct Input: Decodable, Equatable {
                var name: String
                var type: String
                var shape: [Int]
            }

            struct Profile: Decodable {
                struct Operator: Decodable {
                    var name: String
                    var node: Int
                    var isDelegated: Bool
                    var share: Double
                    var calls: Int
                    var totalNanoseconds: Int64
                    var meanNanoseconds: Int64
                }
                var runs: Int
                var operators: [Operator]
            }

            var modelBytes: Int
            var engineVersion: String
            var kernels: String
            var threads: Int
            var signature: String?
            var inputs: [Input]
            var load: [String: Int64]
            var firstRunNanoseconds: Int64
            var warmUpRuns: Int
            var runs: Int
            var latency: [String: Int64]
            var memory: [String: UInt64]
            var profile: Profile?
        }

        private func report(_ arguments: String...) throws -> Report {
            let ending = try HearthProgram.run(["bench"] + arguments + ["--json"])
            #expect(ending.exitCode == 0 && ending.errors.isEmpty, "\(ending.errors)")
            return try WireJSON.decode(Report.self, from: ending.output.utf8)
        }

        private static func fixture(_ name: String) -> String {
            TestPaths.fixtures.appendingPathComponent("models/\(name).tflite").path
        }

        @Test func programsGetEveryNumberWithItsUnit() throws {
            let report = try report(SampleModels.file, "--runs", "7", "--warm-up", "2")
            #expect(try report.modelBytes == SampleModels.bytes().count)
            #expect(report.engineVersion == "2.3.0")
            #expect(report.kernels == "xnnpack" && report.threads == 1 && report.signature == nil)
            #expect(report.inputs == [.init(name: "image", type: "uint8", shape: [1, 32, 32, 3])])
            #expect(report.warmUpRuns == 2 && report.runs == 7)
            #expect(report.firstRunNanoseconds > 0)

            let steps = ["open", "compile", "allocate"].compactMap { report.load[$0 + "Nanoseconds"] }
            #expect(steps.count == 3 && steps.allSatisfy { $0 > 0 })
            #expect(report.load["totalNanoseconds"].map { abs($0 - steps.reduce(0, +)) <= 3 } == true)

            let ranks = ["minimum", "median", "p90", "p99", "maximum"].compactMap {
                report.latency[$0 + "Nanoseconds"]
            }
            #expect(ranks.count == 5 && ranks == ranks.sorted() && ranks[0] > 0)
            let mean = try #require(report.latency["meanNanoseconds"])
            #expect((ranks[0]...ranks[4]).contains(mean))

            let peak = try #require(report.memory["peakResidentBytes"])
            let growth = try #require(report.memory["loadGrowthBytes"])
            #expect(peak > 1 << 20 && growth < peak)
            #expect(report.profile == nil)
        }

        @Test func peopleGetTheSameInWords() throws {
            let ending = try HearthProgram.run(["bench", SampleModels.file, "--warm-up", "0"])
            #expect(ending.exitCode == 0 && ending.errors.isEmpty)
            let lines = ending.output.split(separator: "\n")
            for start in [
                "model:", "engine:     LiteRT 2.3.0, xnnpack kernels, 1 thread", "load:", "memory:", "first run:",
            ] {
                #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
            }
            #expect(lines.contains("input:      image uint8 [1, 32, 32, 3]"))
            #expect(lines.contains("warm-up:    0 runs"))
            #expect(lines.contains { $0.hasPrefix("measured: ") && $0.hasSuffix("within 20 to 100000)") })
            for label in ["min", "median", "p90", "p99", "max", "mean"] {
                #expect(lines.contains { $0.hasPrefix("  \(label):") && $0.hasSuffix("s") }, "\(label)")
            }
        }

        @Test func aBundleIsAsGoodAsItsModel() throws {
            #expect(try report(SampleModels.bundle, "--runs", "1", "--warm-up", "1").inputs.first?.name == "image")
        }

        @Test func anInputTakesTheShapeThatIsAskedFor() throws {
            let file = Self.fixture("add_batch")
            for input in ["0", "input"] {
                let report = try report(file, "--shape", "\(input)=5x2", "--runs", "1")
                #expect(report.inputs == [.init(name: "input", type: "float32", shape: [5, 2])])
            }
        }

        @Test func aSignatureIsRunUnderItsName() throws {
            let report = try report(SampleModels.file, "--signature", "serving_default", "--runs", "1")
            #expect(report.signature == "serving_default")
            #expect(report.inputs.map(\.name) == ["image"])
        }

        @Test func aProfileTellsWhoRanEachOperator() throws {
            let delegated = try #require(try report(SampleModels.file, "--runs", "5", "--profile").profile)
            #expect(delegated.runs == 5)
            #expect(delegated.operators.contains { $0.isDelegated && $0.name.contains("Convolution") })
            #expect(delegated.operators.contains { !$0.isDelegated && $0.name == "QUANTIZE" })
            #expect(delegated.operators.allSatisfy { $0.calls == 5 && $0.node >= 0 })

            let builtin = try #require(
                try report(SampleModels.file, "--runs", "5", "--kernels", "builtin", "--profile").profile)
            #expect(builtin.operators.allSatisfy { !$0.isDelegated })
            #expect(builtin.operators.count { $0.name == "CONV_2D" } == 4)
            let totals = builtin.operators.map(\.totalNanoseconds)
            #expect(totals == totals.sorted(by: >))
            let shares = builtin.operators.reduce(0) { $0 + $1.share }
            #expect(abs(shares - 1) < 1e-6)

            let text = try HearthProgram.run(["bench", SampleModels.file, "--runs", "5", "--profile"]).output
            #expect(text.contains("The slowest 10 of ") && text.contains("  XNNPACK  ") && text.contains("  engine   "))
        }

        @Test(arguments: ["builtin", "reference"])
        func otherKernelsRunItToo(kernels: String) throws {
            #expect(
                try report(SampleModels.file, "--kernels", kernels, "--runs", "1", "--warm-up", "0").kernels == kernels)
        }

        @Test func moreThreadsThanProcessorsAreNotUsed() throws {
            let ending = try HearthProgram.run(
                ["bench", SampleModels.file, "--threads", "9999", "--runs", "1", "--json"])
            #expect(ending.exitCode == 0)
            #expect(ending.errors.hasPrefix("warning: this machine has "))
            let report = try WireJSON.decode(Report.self, from: ending.output.utf8)
            #expect(report.threads == ProcessInfo.processInfo.activeProcessorCount)
        }

        @Test(arguments: ["strings", "where", "side_signature"])
        func modelsThatTheEngineRefusesAreMeasuredAllTheSame(name: String) throws {
            let ending = try HearthProgram.run(["bench", Self.fixture(name), "--runs", "3", "--json"])
            #expect(ending.exitCode == 0, "\(ending.errors)")
        }

        @Test func failuresAreOneLineAndExitCodeOne() throws {
            let folder = try TemporaryFolder()
            let text = try folder.write(Array("not a model at all".utf8), to: "text.tflite")
            let empty = try folder.write([], to: "empty.tflite")
            let cases: [(arguments: [String], reason: String)] = [
                ([folder.path + "/none"], "There is no file or folder"),
                ([folder.path], "more than one .tflite model"),
                ([text], "not a TensorFlow Lite model"), ([empty], "has no bytes"),
                (["/dev/null"], "not a regular file"),
                ([Self.fixture("unknown_custom")], "HearthUnknown"),
                ([SampleModels.file, "--signature", "f"], "Its signatures are: 'serving_default'."),
                ([Self.fixture("add"), "--signature", "f"], "omit --signature"),
                ([SampleModels.file, "--shape", "x=1"], "Its inputs are: 0 'image'."),
                ([SampleModels.file, "--shape", "0=1x2"], "shape"),
                ([SampleModels.file, "--shape", "0=1x1x1x1x1x1x1x1x1"], "cannot have the shape"),
                ([Self.fixture("add_batch"), "--shape", "0=2000000000x2"], "less than 2 GiB"),
            ]
            for (arguments, reason) in cases {
                let ending = try HearthProgram.run(["bench"] + arguments + ["--runs", "1", "--json"])
                #expect(ending.exitCode == 1 && ending.output.isEmpty, "\(arguments)")
                #expect(ending.errors.split(separator: "\n").count == 1, "\(arguments): \(ending.errors)")
                #expect(ending.errors.contains(reason), "\(arguments): \(ending.errors)")
            }
        }

        @Test func wrongUsageIsExitCodeTwo() throws {
            let cases: [[String]] = [
                [], ["--threads", "0"], ["--threads", "x"], ["--runs", "0"], ["--runs", "1000001"],
                ["--warm-up", "-1"], ["--kernels", "fast"], ["--shape", "1x2"], ["--shape", "0=0x1"],
            ]
            for options in cases {
                let model = options.isEmpty ? [] : [SampleModels.file]
                let ending = try HearthProgram.run(["bench"] + model + options)
                #expect(ending.exitCode == 2 && ending.output.isEmpty, "\(options)")
                #expect(ending.errorLines.count == 1, "\(options)")
            }
        }

        @Test func damagedModelsNeverEndItBySignal() throws {
            let folder = try TemporaryFolder()
            for damaged in try SampleModels.damaged() {
                let file = try folder.write(damaged.bytes, to: damaged.name)
                let ending = try HearthProgram.run(["bench", file, "--runs", "1", "--warm-up", "0"])
                #expect(ending.exitCode == 0 || ending.exitCode == 1, "\(damaged.name)")
                #expect(ending.errorLines.count == (ending.exitCode == 0 ? 0 : 1), "\(damaged.name)")
            }
        }

        /// The processor time that a process has used, in hundredths of a second.
        private static func processorTicks(_ process: pid_t) -> Int {
            let line = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
            // The fields that follow the name, which may hold anything.
            let fields = String(decoding: line, as: UTF8.self).components(separatedBy: ") ").last?.split(separator: " ")
            guard let fields, fields.count > 11 else { return 0 }
            return Int(fields[11]) ?? 0
        }

        @Test func anInterruptEndsItAtOnce() throws {
            // Whoever runs the tests may ignore the signal, and programs inherit that.
            let program = try HearthProgram.shell(
                #"exec env --default-signal=INT "$0" bench "$1" --runs 1000000"#, SampleModels.file)
            // Loading takes less: it is measuring by then.
            try #require(Deadline.wait { Self.processorTicks(program.id) >= 30 })
            program.send(SIGINT)
            #expect(try program.waitForExit(seconds: 30).exitCode == nil)
        }
    }
}
