import HearthWire

/// Decodes what a probe printed. A model may have taken the probe over, so every text is cut and cleaned, every list
/// capped, and nonsense makes the file malformed.
struct ReportReader {
    let limits: ProbeLimits

    func read(_ output: [UInt8]) -> ProbeReport {
        guard let report = try? WireJSON.decode(ProbeReport.self, from: output) else {
            return ProbeReport(verdict: .malformed, message: "The check of the model gave no readable report.")
        }
        switch report.verdict {
        case .malformed:
            return ProbeReport(
                verdict: .malformed, message: clean(report.message ?? "The file is not a usable model."))
        case .ok, .unsupported:
            guard let contract = report.contract, isWithinLimits(contract) else {
                return ProbeReport(verdict: .malformed, message: "The model's description is missing or too long.")
            }
            let message = report.verdict == .unsupported ? report.message ?? "This engine cannot run the model." : nil
            return ProbeReport(verdict: report.verdict, message: message.map(clean), contract: clean(contract))
        }
    }

    private func isWithinLimits(_ contract: ModelContract) -> Bool {
        let counts = [
            contract.inputs.count, contract.outputs.count, contract.operators.count, contract.signatures.count,
            (contract.inputs + contract.outputs).map(\.shape.count).max() ?? 0,
        ]
        return counts.allSatisfy { $0 <= limits.contractItems }
    }

    private func clean(_ contract: ModelContract) -> ModelContract {
        var contract = contract
        contract.inputs = contract.inputs.map(clean)
        contract.outputs = contract.outputs.map(clean)
        for index in contract.operators.indices {
            contract.operators[index].name = clean(contract.operators[index].name)
        }
        contract.signatures = contract.signatures.map(clean)
        contract.title = contract.title.map(clean)
        contract.summary = contract.summary.map(clean)
        contract.author = contract.author.map(clean)
        contract.license = contract.license.map(clean)
        return contract
    }

    private func clean(_ tensor: ModelContract.Tensor) -> ModelContract.Tensor {
        var tensor = tensor
        tensor.name = clean(tensor.name)
        tensor.type = clean(tensor.type)
        return tensor
    }

    /// Control characters become spaces, so that no text can drive a terminal or forge a log line.
    private func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(limits.textCharacters).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: scalars)
        return String(cleaned)
    }
}
