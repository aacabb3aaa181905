import HearthWire

/// Decodes what a probe printed. A model may have taken the probe over, so every text is cut and cleaned, every list
/// capped, and nonsense makes the file malformed. Figures are not for this probe to tell.
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
        contract.labelCount = contract.labelCount.flatMap { $0 >= 0 ? $0 : nil }
        contract.labelsSHA256 = contract.labelsSHA256.flatMap { isDigest($0) ? $0 : nil }
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

    /// A digest is 64 lower-case hex digits or none.
    private func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private func clean(_ text: String) -> String { TextCleaner(limits: limits).clean(text) }
}
