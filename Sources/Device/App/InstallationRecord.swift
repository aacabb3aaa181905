import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// An installation's identity as it lies on the device, in a file of mode 0600.
struct InstallationRecord: Codable, Sendable, Equatable {
    /// 22 characters of base64url whose first four bits are 0111.
    var fid: String
    var refreshToken: String?
    var authToken: String?
    /// Seconds since 1970.
    var authTokenExpires: Int64?
    /// The time of day when it came, in seconds since 1970.
    var authTokenObtained: Int64?

    static func new() -> InstallationRecord {
        InstallationRecord(fid: InstallationID.text(random: SecureRandom.bytes(InstallationID.randomByteCount)))
    }

    static let fileName = "installation.json"

    /// nil when there is none, or when what is there cannot be read: a new identity is made then.
    static func load(folder: String, files: any FileOperations) throws(FileError) -> InstallationRecord? {
        let path = FilePath.join(folder, fileName)
        guard try files.size(path) != nil else { return nil }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, limitBytes: 65_536)
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            return nil
        }
        guard let record = try? JSONDecoder().decode(InstallationRecord.self, from: Data(bytes)),
            InstallationID.isValid(record.fid)
        else { return nil }
        return record
    }

    func save(folder: String, files: any FileOperations) throws(FileError) {
        guard let bytes = try? WireJSON.encode(self) else {
            throw FileError(.io, "Cannot encode the installation record")
        }
        try AtomicFile.write(bytes, to: FilePath.join(folder, Self.fileName), mode: 0o600, files: files)
    }
}
