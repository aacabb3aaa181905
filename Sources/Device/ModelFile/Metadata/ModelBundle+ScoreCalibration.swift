extension ModelBundle {
    /// How the metadata says that the scores of one output of the main subgraph are to be calibrated; nil when it does
    /// not. The parameters belong to the bundle's labels, line by line.
    /// - Throws: `invalidCalibration` when the file with the parameters is not named, not there or not valid, or when
    ///   there are no labels; `invalidBundle` when the zip is damaged; `tooLarge`.
    public func scoreCalibration(ofOutput index: Int) throws(ModelFileError) -> ScoreCalibration? {
        guard let outputs = metadata?.subgraphs.first?.outputs, outputs.indices.contains(index) else { return nil }
        for case .scoreCalibration(let transformation, let defaultScore) in outputs[index].processUnits {
            guard let labels else {
                throw ModelFileError(
                    .invalidCalibration, "the model's metadata asks for score calibration, which needs a label file")
            }
            return try ScoreCalibration(
                csv: calibrationFile(of: outputs[index]), classCount: labels.count, transformation: transformation,
                defaultScore: defaultScore)
        }
        return nil
    }

    private func calibrationFile(of output: ModelMetadata.Tensor) throws(ModelFileError) -> [UInt8] {
        guard let name = output.associatedFiles.first(where: { $0.kind == .axisScoreCalibration })?.name else {
            throw ModelFileError(
                .invalidCalibration, "the model's metadata asks for score calibration, but names no file for it")
        }
        guard let archive = found.appended, archive.member(named: name) != nil else {
            throw ModelFileError(
                .invalidCalibration,
                "the model's metadata names the calibration file \(name.quoted), but the model file does not contain it"
            )
        }
        return try BundleFiles.archive(archive, prefix: "").text(name, limitBytes: CalibrationFile.largestFile)
    }
}
