import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthModelFile
import HearthWire
import TensorFlowLite

/// `hearth probe`: inspects the model behind descriptor 3 from inside a sandbox, and prints a report as JSON.
package enum Probe {
    private static let modelDescriptor: Int32 = 3
    /// The engine's name and version, as in reports.
    package static let engine = "LiteRT \(Runtime.version)"

    /// Prints a `ProbeReport`, and for a model that takes images a second line about them. Ends the process: 0 with a report on
    /// standard output, `ProbeExitCode.notRun` if this machine cannot make one, 1 without one for another reason.
    package static func run() -> Never {
        enterSandbox()
        do {
            let bytes = try ModelBytes(descriptor: modelDescriptor)
            let report = ModelInspector.report(bytes)
            // A model that crashes or takes long in what follows has its report already.
            print(report)
            if report.verdict == .ok, let vision = VisionInspector.vision(bytes) { print(vision) }
            exit(0)
        } catch let error where error.code == .unreadable {
            fail("the probe cannot read the model: \(error)", ProbeExitCode.notRun)
        } catch {
            finish(ProbeReport(verdict: .malformed, message: error.message))
        }
    }

    /// Runs the model and prints a `MeasurementReport`. It is separate from ``run()``: a model that passes there may still crash or
    /// hang when it runs, and its report must not be lost then. Ends the process in the same way.
    package static func measure(_ plan: MeasurementPlan) -> Never {
        let memory: PeakMemoryReader
        do {
            memory = try PeakMemoryReader()
        } catch {
            fail("the probe cannot measure: \(error)", ProbeExitCode.notRun)
        }
        enterSandbox()
        finish(ModelMeasurement(plan: plan, memory: memory).report(descriptor: modelDescriptor))
    }

    /// Runs the model on the images of standard input, and prints a line for each: see ``ImageProbe``. Ends the process with 0
    /// at the end of the input, and otherwise in the same way.
    package static func runImages(_ limits: ImageProbeLimits = ImageProbeLimits()) -> Never {
        let memory: PeakMemoryReader
        do {
            memory = try PeakMemoryReader()
        } catch {
            fail("the probe cannot measure: \(error)", ProbeExitCode.notRun)
        }
        giveWay()
        // A try of the console has a threshold: devices come first. A rehearsal has many images, and must end some time.
        enterSandbox(ProbeSandbox.Limits(cpuSeconds: limits.cpuSeconds), runsWhenIdle: limits.threshold != nil)
        exit(ImageProbe(limits: limits, memory: memory).run(modelDescriptor: modelDescriptor))
    }

    /// Packs the zip behind descriptor 3 and prints it: see ``BundlePack``. Ends the process with 0 after a result or a
    /// reason, and otherwise in the same way.
    package static func pack() -> Never {
        giveWay()
        // The output may go to a file.
        enterSandbox(ProbeSandbox.Limits(cpuSeconds: 60, outputBytes: 1 << 30))
        exit(BundlePack().run(descriptor: modelDescriptor))
    }

    /// Lets other processes go first: the server answers devices on the same processors, and what people wait for takes as
    /// long when those have time.
    private static func giveWay() {
        // The return value may be -1 without an error, and a failure would only cost time.
        _ = nice(19)
    }

    /// Lets other processes go first, and the system takes a processor that runs this process for an idle one. On a
    /// machine without a moment to spare, the process gets almost no time.
    private static func runWhenIdle() {
        var parameters = sched_param()
        // SCHED_IDLE; glibc declares the name only for programs that define _GNU_SOURCE.
        let idle: Int32 = 5
        // A failure would only cost time.
        _ = sched_setscheduler(0, idle, &parameters)
    }

    /// Reads nothing outside the sandbox.
    ///
    /// - Parameter runsWhenIdle: whether the process runs when the processors are idle, once its libraries are ready.
    private static func enterSandbox(
        _ limits: ProbeSandbox.Limits = ProbeSandbox.Limits(), runsWhenIdle: Bool = false
    ) {
        do {
            try WarmUp.run()
            if runsWhenIdle { runWhenIdle() }
            try ProbeSandbox.enter(limits)
        } catch {
            fail("the probe could not enter its sandbox: \(error)", ProbeExitCode.notRun)
        }
    }

    private static func finish(_ report: some Encodable) -> Never {
        print(report)
        exit(0)
    }

    private static func print(_ report: some Encodable) {
        guard let json = try? WireJSON.encode(report) else { fail("the report cannot be encoded") }
        _ = Descriptor.write(json + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    static func fail(_ message: String, _ code: Int32 = 1) -> Never {
        _ = Descriptor.write(Array("error: \(message)\n".utf8), to: STDERR_FILENO)
        exit(code)
    }
}

/// Lets libraries initialize themselves before the sandbox closes, which they do once per process.
///
/// At its first compile the engine reads the processor's features from files of the system. It takes the seeds of its random
/// numbers from `/dev/urandom`: one for RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL, one for MULTINOMIAL. Hearth's own tiny
/// model (y = 3x, float32, with some of these operators) causes both. OpenSSL reads its settings at the first digest.
enum WarmUp {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func run() throws {
        guard let bytes = Data(base64Encoded: model, options: .ignoreUnknownCharacters) else {
            throw Failure(description: "the warm-up model is damaged")
        }
        let interpreter = try Interpreter(model: try ModelFile(ModelBytes(copying: bytes)))
        try interpreter.allocateTensors()
        _ = SHA256Hasher.hash([])
    }

    /// `Tests/Fixtures/probe/warm_up.tflite`, made by `Tests/Fixtures/make_probe_models.py`.
    private static let model = """
        GAAAAFRGTDMAAA4AGAAUABAADAAIAAQADgAAABQAAABsAAAAiAAAABQDAAADAAAABAAAAFQAAABAAAAAGAAAAAQAAADS////BAAAAAQAAAAD
        AAAA4v///wQAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAABgAIAAQABgAAAAQAAAAEAAAAAgAAABD9//8YAAAATWFkZSBmb3IgSGVhcnRoJ3Mg
        dGVzdHMuAAAAAAEAAAAQAAAADAAUABAADAAIAAQADAAAABAAAAD4AAAA/AAAAAABAAAEAAAAvAAAAHgAAAA4AAAABAAAAKL///8UAAAAAAAA
        chAAAAAUAAAAAwAAAIj9//8BAAAABgAAAAIAAAAFAAAABwAAANL///8UAAAAAAAAchAAAAAUAAAAAgAAALj9//8BAAAAAwAAAAEAAAAEAAAA
        AAAOABgAFAAQAAwACwAEAA4AAAAUAAAAAAAACxAAAAAUAAAAAQAAAPT9//8BAAAAAgAAAAIAAAAAAAAAAQAAAAAADgAUAAAAEAAMAAsABAAO
        AAAAEAAAAAAAAAsMAAAAEAAAADD+//8BAAAAAQAAAAIAAAAAAAAAAAAAAAEAAAACAAAAAQAAAAAAAAAIAAAASAEAABgBAAD0AAAA0AAAAKgA
        AABwAAAAOAAAAAQAAAB0////EAAAAAMAAAAAAAACEAAAAAUAAAB0aHJlZQAAAAAAAAAMABAADAALAAAABAAMAAAADAAAAAAAAAIQAAAABQAA
        AGRyYXduAAAAAgAAAAEAAAADAAAADAAQAAwAAAAIAAQADAAAAAwAAAACAAAAEAAAAAcAAABjaGFuY2VzAAIAAAABAAAABAAAAAwAFAAQAA8A
        CAAEAAwAAAAQAAAAAQAAAAAAAAIMAAAAAwAAAHR3bwABAAAAAQAAAKD///8IAAAAEAAAAAUAAABub2lzZQAAAAEAAAACAAAAwP///wgAAAAQ
        AAAABgAAAG91dHB1dAAAAQAAAAIAAADg////CAAAABAAAAAFAAAAdHdpY2UAAAABAAAAAgAAAAwADAAIAAAAAAAEAAwAAAAIAAAAEAAAAAUA
        AABpbnB1dAAAAAEAAAACAAAABAAAADwAAAAwAAAAIAAAAAQAAAD0////lQAAAAAAAH8MAAwACwAAAAAABAAMAAAAlAAAAAAAAH/8////BAAE
        AAQAAAA=
        """
}
