/// A body of a call of Hearth's own, or an object in one. It says which keys it may have, so that a server can refuse a
/// mistyped one instead of taking the field's default.
public protocol KeyedBody: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// What stands at some of the keys: an object of that type, or a list of them.
    static var parts: [String: any KeyedBody.Type] { get }
}

extension KeyedBody {
    public static var parts: [String: any KeyedBody.Type] { [:] }

    /// In the order of their declaration.
    public static var keys: [String] { CodingKeys.allCases.map(\.stringValue) }
}
