import Glibc
import HearthModelFile
import HearthWire

/// `hearth probe`: looks at the model behind descriptor 3, from inside a cage, and prints a `ProbeReport` as JSON.
public enum Probe {
    private static let modelDescriptor: Int32 = 3

    /// Runs the probe and ends the process: 0 with a report on standard output, 1 without one.
    public static func run() -> Never {
        do {
            try WarmUp.run()
            try ProbeCage.enter()
        } catch {
            // Nothing is read outside the cage.
            fail("the probe could not close its cage: \(error)")
        }
        let report: ProbeReport
        do {
            report = ModelInspector.report(try ModelBytes(descriptor: modelDescriptor))
        } catch {
            report = ProbeReport(verdict: .malformed, message: error.message)
        }
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

    static func fail(_ message: String) -> Never {
        print(Array("error: \(message)\n".utf8), to: 2)
        exit(1)
    }
}
