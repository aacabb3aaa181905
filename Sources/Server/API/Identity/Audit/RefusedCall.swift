import HearthCatalog
import HearthHTTP

/// What a refused call was about, read from its path: any text may stand there.
struct RefusedCall {
    private let call: String
    private let model: String?
    let projectID: String?

    private static let longestPath = 200

    init(_ head: RequestHead) {
        call = "\(head.method) \(head.path.prefix(Self.longestPath))"
        let parts = head.path.split(separator: "/")
        func name(after word: Substring) -> Substring? {
            parts.firstIndex(of: word).flatMap { $0 + 1 < parts.count ? parts[$0 + 1] : nil }
        }
        projectID = name(after: "projects").map(String.init)
        // A method's name may follow: `models/1000001:rollback`.
        let id = name(after: "models").flatMap { $0.split(separator: ":").first }.map(String.init)
        model = id.flatMap { Names.modelID($0) }.map(String.init)
    }

    /// The model, so that it is found with all else about it; otherwise the call.
    var subject: String { model.map { "models/\($0)" } ?? call }

    func detail(_ message: String) -> String { model == nil ? message : "\(call): \(message)" }
}
