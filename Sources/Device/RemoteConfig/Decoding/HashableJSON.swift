import Foundation

/// JSON values as values that can be compared.
enum HashableJSON {
    static func dictionary(_ object: [String: Any]) -> [String: AnyHashable] { object.mapValues(value) }

    private static func value(_ value: Any) -> AnyHashable {
        switch value {
        case let object as [String: Any]: dictionary(object)
        case let array as [Any]: array.map { self.value($0) }
        case let leaf as AnyHashable: leaf
        default: NSNull()
        }
    }
}
