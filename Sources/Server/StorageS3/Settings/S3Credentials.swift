import HearthFiles

/// The keys with which requests are signed. Descriptions and dumps show none of them.
package struct S3Credentials: Sendable {
    let accessKey: String
    let secretKey: String
    let sessionToken: String?

    /// - Parameter sessionToken: for keys that are valid for a while only.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) throws(S3ConfigurationError) {
        for (name, text) in [
            ("access key", accessKey), ("secret key", secretKey), ("session token", sessionToken ?? "x"),
        ]
        where text.isEmpty || text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            throw S3ConfigurationError(
                "The \(name) of the model store is empty, or has spaces or other strange characters.")
        }
        (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    }

    /// Finds the keys as other tools do: in the given file; else in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
    /// `AWS_SESSION_TOKEN`; else in the file that `AWS_SHARED_CREDENTIALS_FILE` names. `AWS_PROFILE` chooses the
    /// section of a file, which is `default` otherwise.
    package static func find(file: String?, environment: [String: String]) throws(S3ConfigurationError) -> S3Credentials
    {
        let profile = environment["AWS_PROFILE"].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        if let file { return try read(file, profile: profile) }
        let (access, secret) = (environment["AWS_ACCESS_KEY_ID"] ?? "", environment["AWS_SECRET_ACCESS_KEY"] ?? "")
        switch (access.isEmpty, secret.isEmpty) {
        case (false, false):
            let token = environment["AWS_SESSION_TOKEN"] ?? ""
            return try S3Credentials(
                accessKey: access, secretKey: secret, sessionToken: token.isEmpty ? nil : token)
        case (false, true):
            throw S3ConfigurationError("AWS_ACCESS_KEY_ID is set, but not AWS_SECRET_ACCESS_KEY. Set both.")
        case (true, false):
            throw S3ConfigurationError("AWS_SECRET_ACCESS_KEY is set, but not AWS_ACCESS_KEY_ID. Set both.")
        case (true, true): break
        }
        guard let file = environment["AWS_SHARED_CREDENTIALS_FILE"], !file.isEmpty else {
            throw S3ConfigurationError(
                "There are no keys for the model store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a credentials file."
            )
        }
        return try read(file, profile: profile)
    }

    private static func read(_ path: String, profile: String) throws(S3ConfigurationError) -> S3Credentials {
        let bytes: [UInt8]
        do { bytes = try DiskFiles().read(path, limitBytes: 1 << 20) } catch {
            throw S3ConfigurationError("The credentials file \(path) cannot be read: \(error.reason)")
        }
        return try parse(String(decoding: bytes, as: UTF8.self), path: path, profile: profile)
    }

    /// The usual form: `[section]`, then lines `name = value`; `#` and `;` begin comments.
    static func parse(_ text: String, path: String, profile: String) throws(S3ConfigurationError) -> S3Credentials {
        var (section, values) = ("", [String: String]())
        var hasSection = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = trimmed(line.dropFirst().dropLast())
                hasSection = hasSection || section == profile
                continue
            }
            let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else {
                // The line itself is not shown, because it may contain a secret.
                throw S3ConfigurationError(
                    "Line \(index + 1) of the credentials file \(path) is neither [section] nor name = value.")
            }
            if section == profile { values[trimmed(halves[0]).lowercased()] = trimmed(halves[1]) }
        }
        guard hasSection else {
            throw S3ConfigurationError(
                "The credentials file \(path) has no section [\(profile)]. Add it, or choose another with AWS_PROFILE.")
        }
        guard let access = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw S3ConfigurationError(
                "The section [\(profile)] of the credentials file \(path) needs aws_access_key_id and aws_secret_access_key."
            )
        }
        return try S3Credentials(accessKey: access, secretKey: secret, sessionToken: values["aws_session_token"])
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "S3Credentials(hidden)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
