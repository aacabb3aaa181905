package import HearthCatalog
import HearthCrypto

/// The set of a model's rehearsal images as one value.
package enum RehearsalImageSet {
    /// Changes with every name, file and expected answer. The order does not matter.
    package static func digest(of images: [RehearsalImage]) -> String {
        var hasher = SHA256Hasher()
        for image in images.sorted(by: { $0.name < $1.name }) {
            // Neither a name nor an answer contains a line break.
            hasher.update("\(image.name)\n\(image.sha256)\n\(image.label ?? "")\n".utf8)
        }
        return hasher.finalize().hex
    }
}
