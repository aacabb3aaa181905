import HearthModelFile
import HearthWire
import TensorFlowLite

/// Looks at a model as far as loading it into the engine: is it sound, can it run here, what does it take and give.
enum ModelInspector {
    static func report(_ bytes: ModelBytes) -> ProbeReport {
        do {
            let file = try ModelFile(bytes)
            let metadata = try ModelMetadata(of: file)
            let labels = EmbeddedLabels(bytes: bytes, metadata: metadata).labels
            let contract = ContractBuilder(graph: file.graph, metadata: metadata, labels: labels).contract
            return report(file, contract)
        } catch {
            return ProbeReport(verdict: .malformed, message: error.message)
        }
    }

    private static func report(_ file: ModelFile, _ contract: ModelContract) -> ProbeReport {
        do {
            let interpreter = try Interpreter(model: file)
            // Operators that nobody knows show only now.
            try interpreter.allocateTensors()
            return ProbeReport(verdict: .ok, contract: contract)
        } catch let error as ModelFileError where error.code != .unsupported && error.code != .tooLarge {
            return ProbeReport(verdict: .malformed, message: error.message)
        } catch {
            return ProbeReport(verdict: .unsupported, message: "\(error)", contract: contract)
        }
    }
}
