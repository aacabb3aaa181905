import HearthModelFile
import HearthWire
import TensorFlowLite

/// Runs a model a few times on inputs of zeros, on this thread alone.
struct ModelMeasurement {
    let plan: MeasuringPlan
    let memory: OwnMemory

    func report(descriptor: Int32) -> MeasurementReport {
        do {
            return MeasurementReport(figures: try figures(descriptor: descriptor))
        } catch let error as ModelFileError {
            return MeasurementReport(failure: error.message)
        } catch InterpreterError.tensorFlowLiteError(let reason) {
            return MeasurementReport(failure: reason)
        } catch {
            return MeasurementReport(failure: "\(error)")
        }
    }

    private func figures(descriptor: Int32) throws -> ModelFigures {
        let begin = ContinuousClock.now
        let interpreter = try Interpreter(model: try ModelFile(try ModelBytes(descriptor: descriptor)))
        try interpreter.allocateTensors()
        let load = ContinuousClock.now - begin

        try fillInputs(of: interpreter)
        try interpreter.invoke()
        let times = try times(of: interpreter).sorted()
        guard let peak = memory.peakBytes else { throw OwnMemory.Failure(description: "the peak memory is not known") }
        return ModelFigures(
            runs: times.count, medianMicroseconds: Self.percentile(50, of: times),
            p90Microseconds: Self.percentile(90, of: times), peakMemoryBytes: peak,
            loadMicroseconds: load.microsecondsRoundedUp, engine: "LiteRT \(Runtime.version)")
    }

    /// Writes the zeros that are there anyway: only memory that was written to takes RAM, as that of real inputs does.
    /// Strings and the like have no memory of a fixed size; the run tells whether the engine can do without them.
    private func fillInputs(of interpreter: Interpreter) throws {
        for place in 0..<interpreter.inputTensorCount {
            do {
                try interpreter.withUnsafeMutableInputBytes(at: place) {
                    _ = $0.initializeMemory(as: UInt8.self, repeating: 0)
                }
            } catch InterpreterError.invalidTensorDataType {
                continue
            }
        }
    }

    /// At least one, as many as begin within the plan's time.
    private func times(of interpreter: Interpreter) throws -> [Duration] {
        var times: [Duration] = []
        let begin = ContinuousClock.now
        repeat {
            let start = ContinuousClock.now
            try interpreter.invoke()
            times.append(ContinuousClock.now - start)
        } while times.count < plan.runs && ContinuousClock.now - begin < plan.time
        return times
    }

    /// Nearest rank. `sorted` must not be empty, `percent` be 1 to 100.
    private static func percentile(_ percent: Int, of sorted: [Duration]) -> Int {
        sorted[(percent * sorted.count + 99) / 100 - 1].microsecondsRoundedUp
    }
}

extension Duration {
    /// At least 1.
    fileprivate var microsecondsRoundedUp: Int {
        let nanoseconds = components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        return max(1, Int((nanoseconds + 999) / 1000))
    }
}
