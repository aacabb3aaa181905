import HearthModelFile

extension ModelDescription {
    init(_ model: ImageModel, _ found: DetectionLayoutFinder.Found, _ labels: DetectionLabels) {
        var outputs = ImageProcessing(layout: found.layout.name)
        if case .scored = found.layout.form {
            outputs.overlapThreshold = Float(found.layout.suppression.overlapThreshold)
        }
        self.init(
            model, isDetector: true, outputs: outputs, answers: [Self.text(found, labels)],
            isGuess: found.layout.isGuess)
    }

    private static func text(_ found: DetectionLayoutFinder.Found, _ labels: DetectionLabels) -> String {
        let layout = found.layout
        let names = labels.count == 0 ? "no names" : labels.count == 1 ? "1 name" : "\(labels.count) names"
        let classes =
            switch layout.form {
            case .selected: names
            case .scored(_, _, _, let count): "\(count == 1 ? "1 class" : "\(count) classes"), \(names)"
            case .grid(_, _, _, let count): "\(count == 2 ? "1 class" : "\(count - 1) classes"), \(names)"
            }
        let check = layout.isGuess ? ", checked in each run" : ""
        return "\(layout.name.title) (\(layout.name.rawValue)), \(classes); layout: \(found.evidence.text)\(check)"
    }
}
