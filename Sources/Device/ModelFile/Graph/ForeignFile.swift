/// What a file is that is no model, as far as its first bytes show it. Free of side effects.
struct ForeignFile {
    private let head: [UInt8]

    private static let longestHead = 64

    init(firstBytes: UnsafeRawBufferPointer) {
        head = [UInt8](firstBytes.prefix(Self.longestHead))
    }

    /// The end of a sentence that begins with "this is not a model:". It says what to do.
    var text: String {
        if head.starts(with: Array("version https://git-lfs".utf8)) {
            return "it is a Git LFS pointer, which only stands for the file; run 'git lfs pull' in the repository"
        }
        if head.starts(with: [0x50, 0x4B, 3, 4]) {
            return "it is a zip, as a .task bundle is; unpack it, and use a .tflite file in it"
        }
        if isMarkup { return "it is a web page or an error message; download the model again" }
        if head.count < 8 {
            return "it has only \(head.count == 1 ? "1 byte" : "\(head.count) bytes"); get the model again"
        }
        let identifier = String(decoding: head.dropFirst(4).prefix(4), as: UTF8.self)
        return "its bytes 4 to 7 are \(identifier.quoted) instead of TFL3"
    }

    /// Whether it is HTML or XML. A byte order mark and white space may come first.
    private var isMarkup: Bool {
        let text = head.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        guard text.first == UInt8(ascii: "<"), let second = text.dropFirst().first else { return false }
        return Character(UnicodeScalar(second)).isLetter || "!?".utf8.contains(second)
    }
}
