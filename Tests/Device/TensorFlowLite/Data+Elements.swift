import Foundation

extension Data {
    init<Element: BitwiseCopyable>(elements: [Element]) {
        self = elements.withUnsafeBytes { Data($0) }
    }

    func elements<Element: BitwiseCopyable>(_: Element.Type) -> [Element] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: count, by: MemoryLayout<Element>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Element.self)
            }
        }
    }
}
