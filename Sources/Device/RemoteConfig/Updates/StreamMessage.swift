import HearthWire

/// One message of the stream of updates: a flat object.
struct StreamMessage: Decodable, Sendable, Equatable {
    /// Nil when it announces none.
    var version: Int64?
    /// Updates are switched off: the mere presence says so, whatever the value, as with Google's library.
    var isDisabled = false
    /// When to connect again after the stream's end, in seconds.
    var retrySeconds: Double?

    private enum CodingKeys: String, CodingKey {
        case latestTemplateVersionNumber, featureDisabled, retryIntervalSeconds
    }

    init(version: Int64?, isDisabled: Bool = false, retrySeconds: Double? = nil) {
        self.version = version
        self.isDisabled = isDisabled
        self.retrySeconds = retrySeconds
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = Self.number(values, .latestTemplateVersionNumber)
        isDisabled = values.contains(.featureDisabled)
        retrySeconds = Self.number(values, .retryIntervalSeconds).map(Double.init)
    }

    /// Numbers come as such or as texts.
    private static func number(_ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) -> Int64? {
        (try? values.decode(Int64.self, forKey: key))
            ?? (try? values.decode(String.self, forKey: key)).flatMap(Int64.init)
    }
}

/// Cuts the messages out of a body that comes in pieces: an array, of which each piece may hold a part. Pure.
struct StreamMessages {
    /// Longer messages are none.
    static let limitBytes = 65_536

    /// From the bracket that begins a message on; nil between messages.
    private var open: [UInt8]?

    /// The messages that end in this piece; nil for each that is not readable.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [StreamMessage?] {
        var messages: [StreamMessage?] = []
        for byte in bytes {
            guard open != nil else {
                if byte == UInt8(ascii: "{") { open = [byte] }
                continue
            }
            open?.append(byte)
            if byte == UInt8(ascii: "}") {
                messages.append(open.flatMap { try? WireJSON.decode(StreamMessage.self, from: $0) })
                open = nil
            } else if let count = open?.count, count >= Self.limitBytes {
                messages.append(nil)
                open = nil
            }
        }
        return messages
    }
}
