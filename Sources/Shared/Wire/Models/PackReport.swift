/// The first line that `hearth probe --pack` prints. After `sizeBytes`, that many bytes of the packed model follow it.
package struct PackReport: Codable, Sendable, Equatable {
    /// The packed model's size, above 0.
    package var sizeBytes: Int?
    /// True if the file is no zip: it needs no packing.
    package var isModel: Bool?
    /// Why the zip cannot be packed.
    package var failure: String?

    package init(sizeBytes: Int? = nil, isModel: Bool? = nil, failure: String? = nil) {
        self.sizeBytes = sizeBytes
        self.isModel = isModel
        self.failure = failure
    }
}
