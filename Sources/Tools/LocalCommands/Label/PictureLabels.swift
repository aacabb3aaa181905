/// The labels of one picture, best first.
package struct PictureLabels: PictureAnswer {
    package struct Label: Sendable {
        package let text: String
        package let confidence: Float
        package let index: Int
    }

    package let labels: [Label]

    init(_ labels: [Label]) { self.labels = labels }

    var lines: [String] {
        if labels.isEmpty { return ["  no label"] }
        return labels.map { "  \(Percent.text($0.confidence))  \($0.text.isEmpty ? "#\($0.index)" : $0.text)" }
    }

    func write(to json: inout JSONLine) {
        json.member("labels", labels) { label, json in
            json.member("text", label.text)
            json.member("confidence", label.confidence)
            json.member("index", label.index)
        }
    }
}
