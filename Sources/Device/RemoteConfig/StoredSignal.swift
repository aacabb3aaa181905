/// A signal as plain JSON, in requests and in the app's folder.
struct StoredSignal: Codable, Sendable, Equatable {
    var value: CustomSignalValue

    init(_ value: CustomSignalValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let number = try? container.decode(Int.self) {
            value = .integer(number)
        } else {
            value = .double(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value.kind {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        }
    }
}
