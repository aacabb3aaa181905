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

    static func new() -> InstallationRecord {
        var bytes = SecureRandom.bytes(17)
        bytes[0] = 0x70 | (bytes[0] & 0x0F)
        return InstallationRecord(fid: String(Base64URL.encode(bytes).prefix(22)))
    }

    static let fileName = "installation.json"

    /// nil when there is none, or when what is there cannot be read: a new identity is made then.
    static func load(folder: String, files: any FileOperations) throws(FileError) -> InstallationRecord? {
        let path = FilePath.join(folder, fileName)
        guard try files.size(path) != nil else { return nil }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, limitBytes: 65_536)
        } catch let error where error.code == .tooLarge {
            return nil
        }
        guard let record = try? JSONDecoder().decode(InstallationRecord.self, from: Data(bytes)),
            record.fid.utf8.count == 22
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

/// What to do for a caller that wants a token. Pure.
enum InstallationStep: Equatable {
    case use(token: String, expires: Int64)
    case refresh
    case register

    /// Tokens are renewed when less than an hour is left.
    static let renewalSeconds: Int64 = 3600
    /// No token lives longer than a year: a later end comes from a damaged record or a clock that was wrong.
    static let longestLifetimeSeconds: Int64 = 31_536_000

    static func next(_ record: InstallationRecord, forcingRefresh: Bool, nowSeconds: Int64) -> InstallationStep {
        guard record.refreshToken != nil else { return .register }
        guard !forcingRefresh, let token = record.authToken, let expires = record.authTokenExpires,
            expires > nowSeconds + renewalSeconds, expires <= nowSeconds + longestLifetimeSeconds
        else { return .refresh }
        return .use(token: token, expires: expires)
    }
}
