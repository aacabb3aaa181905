extension LabelMap {
    /// The labels that a model's metadata names for one tensor; nil when it names none.
    ///
    /// Class names come from the first label file, display names from the first one in the wanted language.
    /// - Parameter read: gives the bytes of a file in the model's zip; nil when it is not there.
    /// - Throws: `labelsMissing` when a named file is not there; what the files' texts cause.
    init?(
        of tensor: ModelMetadata.Tensor, locale: String,
        read: (String) throws(ModelFileError) -> [UInt8]?
    ) throws(ModelFileError) {
        let files = tensor.associatedFiles.filter { $0.kind == .axisLabels || $0.kind == .valueLabels }
        guard let first = files.first else { return nil }
        let localized = files.first { $0.locale == locale }
        func contents(_ file: ModelMetadata.AssociatedFile) throws(ModelFileError) -> [UInt8] {
            let name = file.name ?? ""
            guard let bytes = try read(name) else {
                throw ModelFileError(
                    .labelsMissing,
                    "the model's metadata names the label file \(name.quoted), but the model file does not contain it")
            }
            return bytes
        }
        try self.init(
            file: contents(first),
            displayFile: localized.map { file throws(ModelFileError) in try contents(file) })
    }
}
