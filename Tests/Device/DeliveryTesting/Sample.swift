import Foundation
import HearthCrypto
import HearthDelivery
import HearthDeliveryTesting

/// The bytes of models that need not run.
enum Sample {
    static let old = Data("the version before".utf8)
    static let new = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    static func hash(_ bytes: Data) -> String { SHA256Hasher.hash(Array(bytes)).hex }
}

extension TestDevice {
    func get(_ name: String = "digits", _ type: ModelDownloadType = .latestModel) async throws -> CustomModel {
        try await downloader.getModel(name: name, downloadType: type)
    }

    /// Whether the call fails.
    func fails(_ name: String = "digits") async -> Bool {
        do {
            _ = try await get(name)
            return false
        } catch {
            return true
        }
    }
}

extension CustomModel {
    var contents: Data? { FileManager.default.contents(atPath: path) }
}
