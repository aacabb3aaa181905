import Foundation

/// One level of a nested array of any class and element type, read without converting the whole array.
protocol NestedArray {
    var count: Int { get }
    var firstElement: Any? { get }

    func forEachElement(_ body: (Any) throws -> Void) rethrows

    /// Lends the elements in place if they are stored as `Element`; returns whether they are.
    func withContiguousElements<Element>(of type: Element.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool
}

extension Array: NestedArray {
    var firstElement: Any? { first }

    func forEachElement(_ body: (Any) throws -> Void) rethrows {
        for element in self { try body(element) }
    }

    func withContiguousElements<Wanted>(of type: Wanted.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard Element.self == Wanted.self else { return false }
        withUnsafeBufferPointer { body(UnsafeRawBufferPointer($0)) }
        return true
    }
}

extension NSArray: NestedArray {
    var firstElement: Any? { firstObject }

    func forEachElement(_ body: (Any) throws -> Void) rethrows {
        for element in self { try body(element) }
    }

    func withContiguousElements<Element>(of type: Element.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        false
    }
}
