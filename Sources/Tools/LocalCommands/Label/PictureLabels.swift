/// The labels of one picture, best first.
package struct PictureLabels: PictureAnswer {
    package struct Label: Sendable {
        package let text: String
        package let confidence: Float
        package let index: Int
    }

    package let labels: [Label]

    init(_ labels: [Label]) { self.labels = labels }

    /// Labels that would be shown as 0.0 % are left out; the best one never is.
    var lines: [String] {
        if labels.isEmpty { return ["  no label"] }
        return labels.enumerated().filter { $0.offset == 0 || !Percent.isZero($0.element.confidence) }.map { _, label in
            "  \(Percent.text(label.confidence))  \(label.text.isEmpty ? "#\(label.index)" : label.text)"
        }
    }

    func write(to json: inout JSONLine) {
        json.member("labels", labels) { label, json in
            json.member("text", label.text)
            json.member("confidence", label.confidence)
            json.member("index", label.index)
        }
    }
}
