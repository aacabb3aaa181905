/// The names of a model's classes, by number from 0.
public struct LabelMap: Sendable, Equatable {
    /// The most bytes of a label file.
    public static let maximumByteCount = 4 << 20

    /// The author's names for the classes, which may be ids. One for each line of the label file.
    public let classNames: [String]

    /// Names for people, in one language; nil when there are only class names.
    public let displayNames: [String]?

    /// The number of classes.
    public var count: Int { classNames.count }

    /// Reads the text of a label file with one label per line. The line's number, from 0, is the class.
    ///
    /// Lines end with LF or CRLF. One empty line at the end does not count. A byte order mark is skipped. Labels are
    /// not trimmed, but a number before each label, from 0 up, is its class. TensorFlow's label maps (`.pbtxt`, whose
    /// text begins with `item {`) are also accepted: the class is the id minus 1, and the field `display_name` is the
    /// display name. So is the description that Ultralytics' exporter writes: a Python dictionary or JSON whose member
    /// `names` has the labels.
    /// - Parameters:
    ///   - file: UTF-8 text.
    ///   - displayFile: A second file of the same form and line count, with names for people.
    /// - Throws: `labelsMismatch` when a file is not UTF-8, has no labels, is a binary file, or when the line counts
    ///   differ; `tooLarge`.
    public init(file: [UInt8], displayFile: [UInt8]? = nil) throws(ModelFileError) {
        let text = try Self.text(of: file)
        if LabelMapText.isLabelMap(text) {
            let map = try LabelMapText(text)
            (classNames, displayNames) = (map.classNames, map.displayNames)
            return
        }
        if ExporterDescription.isDescription(text) {
            guard let names = ExporterDescription(text)?.names else {
                throw ModelFileError(
                    .labelsMismatch,
                    "the label file is a description of a model without names of its classes; use a file with one "
                        + "label per line")
            }
            (classNames, displayNames) = (names, nil)
            return
        }
        classNames = try Self.lines(of: text)
        displayNames = try displayFile.map { file throws(ModelFileError) in try Self.lines(of: Self.text(of: file)) }
        if let displayNames, displayNames.count != classNames.count {
            throw ModelFileError(
                .labelsMismatch,
                "the label files do not belong together: one has \(classNames.count) labels, the other "
                    + "\(displayNames.count)")
        }
    }

    /// The labels of a description that an exporter wrote; nil when it does not name all classes.
    package init?(_ description: ExporterDescription) {
        guard let names = description.names else { return nil }
        (classNames, displayNames) = (names, nil)
    }

    /// What the file says if it is the description of a model by its exporter; nil when it is something else.
    package static func description(_ file: [UInt8]) -> ExporterDescription? {
        (try? text(of: file)).flatMap(ExporterDescription.init)
    }

    /// Whether the file describes the model without naming its classes, so that it holds no labels.
    package static func isDescriptionOnly(_ file: [UInt8]) -> Bool {
        guard let text = try? text(of: file) else { return false }
        return ExporterDescription.isDescription(text) && ExporterDescription(text)?.names == nil
    }

    /// The class name; nil outside of `0..<count`.
    public func className(_ index: Int) -> String? {
        classNames.indices.contains(index) ? classNames[index] : nil
    }

    /// The name for people if there is one, else the class name; nil outside of `0..<count`.
    public func displayName(_ index: Int) -> String? {
        displayNames.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? className(index)
    }

    private static func text(of file: [UInt8]) throws(ModelFileError) -> String {
        guard file.count <= maximumByteCount else {
            throw ModelFileError(
                .tooLarge, "the label file has \(file.count) bytes; at most \(maximumByteCount) are accepted")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = file.starts(with: mark) ? file.dropFirst(mark.count) : file[...]
        guard !text.contains(0), let text = String(validating: text, as: UTF8.self) else {
            throw ModelFileError(.labelsMismatch, "the label file is not UTF-8 text; save it as UTF-8")
        }
        return text
    }

    private static func lines(of text: String) throws(ModelFileError) -> [String] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
        if lines.last == "" { lines.removeLast() }
        guard !lines.allSatisfy(\.isEmpty) else {
            throw ModelFileError(.labelsMismatch, "the label file has no labels")
        }
        return numbered(lines) ?? lines
    }

    private static let largestNumber = 100_000

    /// The names of lines that begin with their numbers, as in `0 cat`; nil when a line has another form.
    ///
    /// Teachable Machine numbers the lines of its label files, and Coral's label files leave numbers out, which get no
    /// name. Numbers begin with 0 and grow from line to line, so a list such as `1 euro`, `2 euro` has names only. Names
    /// begin with no sign: `0 - 2` is a range.
    private static func numbered(_ lines: [String]) -> [String]? {
        var names: [String] = []
        for line in lines {
            let digits = line.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let rest = line.utf8[digits.endIndex...]
            let name = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let number = Int(Substring(digits)), let first = name.first, first != UInt8(ascii: "-"),
                first != UInt8(ascii: "+"), name.startIndex > rest.startIndex,
                number >= names.count, number <= largestNumber, !names.isEmpty || number == 0
            else { return nil }
            names += Array(repeating: "", count: number - names.count)
            names.append(String(Substring(name)))
        }
        return names
    }
}

extension LabelMap {
    /// The labels that a model's metadata names for one tensor; nil when it names none, or a file without labels.
    ///
    /// Class names come from the first label file, display names from the first one in the requested language.
    /// - Parameter read: Returns the bytes of a file in the model's zip; nil when it is missing.
    /// - Throws: `labelsMissing` when a named file is missing; the errors of ``init(file:displayFile:)``.
    init?(
        of tensor: ModelMetadata.Tensor, locale: String,
        read: (String) throws(ModelFileError) -> [UInt8]?
    ) throws(ModelFileError) {
        let files = tensor.associatedFiles.filter { $0.kind == .axisLabels || $0.kind == .valueLabels }
        guard let first = files.first else { return nil }
        let localized = files.first { $0.locale == locale }
        func contents(_ file: ModelMetadata.AssociatedFile) throws(ModelFileError) -> [UInt8] {
            let name = file.name ?? ""
            guard let bytes = try read(name) else {
                throw ModelFileError(
                    .labelsMissing,
                    "the model's metadata names the label file \(name.quoted), but the model file does not contain it")
            }
            return bytes
        }
        let file = try contents(first)
        // Ultralytics' exporter attaches its description of the model as if it were labels.
        if Self.isDescriptionOnly(file) { return nil }
        try self.init(
            file: file,
            displayFile: localized.map { file throws(ModelFileError) in try contents(file) })
    }
}
