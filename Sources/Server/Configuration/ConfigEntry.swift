import HearthCrypto
import HearthWire

/// A value of a parameter as devices are sent it. Made once, because it is sent again and again. Immutable; any thread.
public final class ConfigEntry: Sendable {
    public let key: String
    public let value: String
    /// `"key":"value"`, as it stands in a JSON object.
    public let json: [UInt8]
    /// Stands for key and value where it is asked whether a device has them already: the first eight bytes of the SHA-256
    /// of `json`, big-endian.
    public let digest: UInt64

    public init(key: String, value: String) {
        self.key = key
        self.value = value
        var json: [UInt8] = []
        JSONText.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &json)
        self.json = json
        digest = SHA256Hasher.hash(json).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
