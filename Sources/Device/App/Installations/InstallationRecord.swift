import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// An installation's identity on the device, in a file of mode 0600.
struct InstallationRecord: Codable, Sendable, Equatable {
    /// 22 characters of base64url whose first four bits are 0111.
    var fid: String
    var refreshToken: String?
    var authToken: String?
    /// Seconds since 1970.
    var authTokenExpires: Int64?
    /// The time of day when the token arrived, in seconds since 1970.
    var authTokenObtained: Int64?

    static func new() -> InstallationRecord {
        InstallationRecord(fid: InstallationID.text(random: SecureRandom.bytes(InstallationID.randomByteCount)))
    }

    static let fileName = "installation.json"

    /// nil when the file is missing or not readable; the client then makes a new identity.
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

/// The token that the device sends to the server, and when it expires (seconds since 1970).
struct InstallationToken: Sendable, Equatable {
    var token: String
    var expires: Int64
}

extension InstallationToken {
    /// Whether a secret fits into a header: 1 to 8192 bytes of visible ASCII.
    static func isCredential(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// nil when the answer's token is malformed or its lifetime is out of range.
    init?(_ answer: InstallationBodies.AuthToken, nowSeconds: Int64) {
        guard Self.isCredential(answer.token), let lifetime = answer.lifetimeSeconds,
            (0...TokenAction.longestLifetimeSeconds).contains(lifetime)
        else { return nil }
        self.init(token: answer.token, expires: nowSeconds + lifetime)
    }
}

/// What to do for a caller that wants a token. Pure.
enum TokenAction: Equatable {
    case use(InstallationToken)
    case refresh(refreshToken: String)
    case register

    /// Tokens are renewed when less than an hour is left.
    static let renewalSeconds: Int64 = 3600
    /// No token is valid for more than a year: a later end comes from a damaged record or a wrong clock.
    static let longestLifetimeSeconds: Int64 = 31_536_000
    /// How far the clock may be set back before a token's end becomes doubtful.
    static let clockToleranceSeconds: Int64 = 300

    static func next(_ record: InstallationRecord, forcingRefresh: Bool, nowSeconds: Int64) -> TokenAction {
        guard let refreshToken = record.refreshToken else { return .register }
        guard !forcingRefresh, let token = record.authToken, let expires = record.authTokenExpires,
            let obtained = record.authTokenObtained,
            // If the token was obtained in the future, the clock was ahead then, and the token's end is wrong by the
            // same time.
            obtained <= nowSeconds + clockToleranceSeconds,
            expires > nowSeconds + renewalSeconds, expires <= nowSeconds + longestLifetimeSeconds
        else { return .refresh(refreshToken: refreshToken) }
        return .use(InstallationToken(token: token, expires: expires))
    }
}
