import Glibc
import HearthModelFile
import HearthWire

/// `hearth probe`: looks at the model behind descriptor 3, from inside a cage, and prints what it saw as JSON.
public enum Probe {
    private static let modelDescriptor: Int32 = 3

    /// Prints a `ProbeReport` and ends the process: 0 with a report on standard output, `ProbeExitCode.notRun` where this
    /// machine cannot make one, 1 without one for another reason.
    public static func run() -> Never {
        enterCage()
        do {
            finish(ModelInspector.report(try ModelBytes(descriptor: modelDescriptor)))
        } catch let error where error.code == .unreadable {
            fail("the probe cannot read the model: \(error)", ProbeExitCode.notRun)
        } catch {
            finish(ProbeReport(verdict: .malformed, message: error.message))
        }
    }

    /// Runs the model and prints a `MeasurementReport`. Apart from ``run()``, because a model that passes there may
    /// still crash or hang when it runs, and what is known of it should not be lost then. Ends the process as it does.
    public static func measure(_ plan: MeasuringPlan) -> Never {
        let memory: OwnMemory
        do {
            memory = try OwnMemory()
        } catch {
            fail("the probe cannot measure: \(error)", ProbeExitCode.notRun)
        }
        enterCage()
        finish(ModelMeasurement(plan: plan, memory: memory).report(descriptor: modelDescriptor))
    }

    /// Nothing is read outside the cage.
    private static func enterCage() {
        do {
            try WarmUp.run()
            try ProbeCage.enter()
        } catch {
            fail("the probe could not close its cage: \(error)", ProbeExitCode.notRun)
        }
    }

    private static func finish(_ report: some Encodable) -> Never {
        guard let json = try? WireJSON.encode(report) else { fail("the report cannot be encoded") }
        print(json)
        exit(0)
    }

    static func print(_ bytes: [UInt8], to descriptor: Int32 = 1) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    static func fail(_ message: String, _ code: Int32 = 1) -> Never {
        print(Array("error: \(message)\n".utf8), to: 2)
        exit(code)
    }
}
