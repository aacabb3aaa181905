/// The variant of an experiment for which the server chose the version of a model.
struct ModelExperiment: Codable, Sendable, Hashable {
    /// How many experiments a server may name at once, and how many bytes their names may have.
    private static let limit = 20
    private static let limitBytes = 256

    var experiment: String
    var variant: String
    /// When the experiment started, in the server's own form; nil when the server does not send it.
    var start: String?

    /// The experiments in the values of the header `X-Hearth-Experiment`: `EXPERIMENT/VARIANT/START,
    /// EXPERIMENT/VARIANT/START`, with or without the start. Leaves out entries that are not readable.
    static func all(in headers: [String]) -> [ModelExperiment] {
        let entries = headers.flatMap { $0.split(separator: ",") }.prefix(limit)
        return entries.compactMap { entry in
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false).map(trimmed)
            guard (2...3).contains(parts.count), parts.allSatisfy({ (1...limitBytes).contains($0.utf8.count) }) else {
                return nil
            }
            return ModelExperiment(experiment: parts[0], variant: parts[1], start: parts.count > 2 ? parts[2] : nil)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
