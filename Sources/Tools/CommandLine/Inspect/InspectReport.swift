import HearthWire

/// What `hearth inspect --json` prints: the probe's report, and what the file says in full.
struct InspectReport: Encodable {
    private let verdict: ProbeReport.Verdict
    private let message: String?
    private let contract: ModelContract?
    private let signatures: [ModelListing.Signature]?
    private let subgraphs: [ModelListing.Subgraph]?

    init(_ report: ProbeReport, _ listing: ModelListing?) {
        verdict = report.verdict
        message = report.message
        contract = report.contract
        signatures = listing?.signatures
        subgraphs = listing?.subgraphs
    }
}
