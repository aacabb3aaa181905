/// The result of a rehearsal. There is one for each pair of files and set of images, however many versions have these
/// files.
package struct RehearsalRecord: Sendable, Hashable {
    package var modelID: Int64
    /// The hash of the rehearsed file.
    package var candidateSHA256: String
    /// The hash of the file that it was compared with; empty for none.
    package var baselineSHA256: String
    /// The digest of the names, bytes and labels of the images.
    package var imageSet: String
    package var candidateVersion: Int
    package var baselineVersion: Int?
    /// JSON of `RehearsalBodies.Summary`.
    package var summaryJSON: String
    /// JSON of a list of `RehearsalBodies.Comparison`; empty where a look-up leaves it out.
    package var imagesJSON: String
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(
        modelID: Int64, candidateSHA256: String, baselineSHA256: String, imageSet: String, candidateVersion: Int,
        baselineVersion: Int?, summaryJSON: String, imagesJSON: String, createdMicroseconds: Int64, createdBy: String
    ) {
        self.modelID = modelID
        self.candidateSHA256 = candidateSHA256
        self.baselineSHA256 = baselineSHA256
        self.imageSet = imageSet
        self.candidateVersion = candidateVersion
        self.baselineVersion = baselineVersion
        self.summaryJSON = summaryJSON
        self.imagesJSON = imagesJSON
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}
