import HearthModelFile

/// Opens a model as what it is, where the caller does not know whether it is a labeler or a detector.
enum LabelerOrDetector {
    /// - Parameters:
    ///   - stated: What takes precedence over the file. With a layout, the model is a detector; with an activation and
    ///     none, a labeler.
    ///   - labeler: Opens the model as a labeler.
    ///   - detector: Opens the model as a detector.
    /// - Throws: If it is neither; the error is of the form that the model was most likely meant to have.
    static func open<Opened>(
        _ bundle: ModelBundle, stated: ImageProcessing, labeler: () throws -> Opened, detector: () throws -> Opened
    ) throws -> Opened {
        if stated.layout != nil || bundle.processing.layout != nil { return try detector() }
        if stated.activation != nil { return try labeler() }
        // The first output of a detection model may have the shape of a labeler's scores.
        let findsObjects = try ObjectModel.findsObjects(bundle)
        do {
            return try findsObjects ? detector() : labeler()
        } catch let firstError {
            // A detection model that cannot be read is no labeler, unless the metadata names a label for each score.
            guard !findsObjects || bundle.hasLabeledScores else { throw firstError }
            do {
                return try findsObjects ? labeler() : detector()
            } catch let secondError {
                // A model whose outputs are rows of numbers can only be meant as a labeler.
                throw findsObjects || hasRowsOnly(bundle) ? firstError : secondError
            }
        }
    }

    private static func hasRowsOnly(_ bundle: ModelBundle) -> Bool {
        guard let main = bundle.model.graph.subgraphs.first else { return true }
        return (main.inputs.count == 1 || main.outputs.count <= 1)
            && main.outputs.filter(main.tensors.indices.contains).allSatisfy { index in
                main.tensors[index].shape.count { $0 != 1 } <= 1
            }
    }
}
