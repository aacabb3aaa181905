import Foundation

/// One level of a nested array, whatever its class and the type of its elements, read without converting it as a whole.
protocol NestedArray {
    var count: Int { get }
    var firstElement: Any? { get }

    func forEachElement(_ body: (Any) throws -> Void) rethrows

    /// Lends the elements where they already lie in memory as `Element`; returns whether they do.
    func lendElements<Element>(of type: Element.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool
}

extension Array: NestedArray {
    var firstElement: Any? { first }

    func forEachElement(_ body: (Any) throws -> Void) rethrows {
        for element in self { try body(element) }
    }

    func lendElements<Wanted>(of type: Wanted.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool {
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

    func lendElements<Element>(of type: Element.Type, to body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        false
    }
}
